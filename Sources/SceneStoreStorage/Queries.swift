import SceneStoreValues

/// All SQL but the schema's, each statement whole: parameters are named for their columns, and
/// numbered in the order in which they first stand in the text.
package enum Queries {}
