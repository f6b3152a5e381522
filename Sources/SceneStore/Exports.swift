// One import for apps: what lies below is part of this library's interface.
@_exported import SceneStoreStorage
@_exported import SceneStoreValues
