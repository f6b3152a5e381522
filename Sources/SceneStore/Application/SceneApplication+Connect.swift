import SceneStoreEngine

extension SceneApplication {
    /// Gives a session its scene, and answers its key. `items` is what it is handed, by the numbers
    /// in the inbox.
    package func connect(
        _ connection: SceneConnection, _ items: HandedItems = HandedItems()
    ) throws(SceneStoreError) -> Int64 {
        try SceneConnector(application: self).connect(connection, items)
    }
}
