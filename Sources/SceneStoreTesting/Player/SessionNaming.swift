import SceneStore

/// Gives each session that a scenario sees a name.
struct SessionNaming {
    private var chosen: String?
    /// Sessions named in this step, until the store is seen to have them.
    private var new: [SceneSession.ID] = []

    /// The scenario's name of a session; one that it sees first gets its name now.
    mutating func name(of identifier: SceneSession.ID, _ state: inout PlayerState) -> String {
        if let name = state.name(of: identifier) {
            return name
        }
        let name = state.names.name(identifier, chosen)
        chosen = nil
        new.append(identifier)
        return name
    }

    /// Begins what may create sessions, the first of them with a chosen name.
    mutating func begin(_ name: String?) {
        chosen = name
        new = []
    }

    /// Takes the names back that were given to sessions that were not created.
    func takeBack(_ state: inout PlayerState, where isMissing: (SceneSession.ID) -> Bool) {
        for identifier in new where isMissing(identifier) {
            state.names.remove(identifier)
        }
    }

    mutating func end() {
        begin(nil)
    }
}
