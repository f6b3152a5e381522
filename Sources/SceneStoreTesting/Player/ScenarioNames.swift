import SceneStore

/// The names that a scenario has for sessions, in the order in which they were created, found by either
/// side: a scenario of many windows asks for them at every step.
struct ScenarioNames: Sendable {
    struct Name: Codable, Sendable {
        var identifier: SceneSession.ID
        var name: String
        /// Whether the scenario chose it.
        var isChosen: Bool
    }

    private(set) var all: [Name] = []
    private var nameByIdentifier: [SceneSession.ID: String] = [:]
    private var identifierByName: [String: SceneSession.ID] = [:]
    /// Has given the names so far.
    private var namer = SessionNamer()

    init() {}

    /// The name of a session, or nil for one that the scenario did not see being created.
    subscript(_ identifier: SceneSession.ID) -> String? { nameByIdentifier[identifier] }

    /// The session of a name.
    func identifier(of name: String) -> SceneSession.ID? { identifierByName[name] }

    /// Whether a session has the name.
    func isTaken(_ name: String) -> Bool { namer.isTaken(name) }

    /// Gives a session the chosen name, else the next letter.
    mutating func name(_ identifier: SceneSession.ID, _ chosen: String?) -> String {
        if let chosen {
            _ = namer.take(chosen)
        }
        let name = chosen ?? namer.next()
        note(Name(identifier: identifier, name: name, isChosen: chosen != nil))
        return name
    }

    private mutating func note(_ name: Name) {
        all.append(name)
        if nameByIdentifier[name.identifier] == nil {
            nameByIdentifier[name.identifier] = name.name
        }
        if identifierByName[name.name] == nil {
            identifierByName[name.name] = name.identifier
        }
    }

    /// Takes the name of a session back; its letter is given again.
    mutating func remove(_ identifier: SceneSession.ID) {
        self = ScenarioNames(all.filter { $0.identifier != identifier })
    }

    private init(_ names: [Name]) {
        for name in names {
            if name.isChosen {
                _ = namer.take(name.name)
            } else {
                _ = namer.next()
            }
            note(name)
        }
    }
}

extension ScenarioNames: Codable {
    init(from decoder: any Decoder) throws {
        self.init(try [Name](from: decoder))
    }

    func encode(to encoder: any Encoder) throws {
        try all.encode(to: encoder)
    }
}
