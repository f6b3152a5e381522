import SceneStore
import SceneStoreEngine
import SceneStoreExchange
import SceneStoreRecovery
import SceneStoreSQLite
import SceneStoreTesting

/// Opens a container and asks it everything; what it can't answer, it must say.
struct StoreReading {
    private let container: String
    private let access: UInt8

    init(_ container: String, access: UInt8) {
        self.container = container
        self.access = access
    }

    func read() {
        switch access & 3 {
        case 0: read(.reader)
        case 1:
            salvage()
            read(.editor)
            repair()
        case 2: launch()
        default:
            read(.reader)
            launch()
        }
    }

    private func read(_ access: SceneSessionStore.Access) {
        var options = SceneSessionStore.Options()
        options.access = access
        options.clock = { VirtualClock.start }
        guard
            let store = try? SceneSessionStore.open(at: .directory(container), options: options)
        else {
            return
        }
        StoreQuestions(store).ask()
        _ = try? store.verify(.standard)
        if access == .editor {
            change(store)
            StoreQuestions(store).ask()
        }
        _ = try? store.close()
    }

    /// What a tool does to a store.
    private func change(_ store: SceneSessionStore) {
        let records = (try? store.openRecords()).map { Array($0) } ?? []
        for record in records.prefix(2) {
            _ = try? store.values.setTitle("changed", key: record.key)
            _ = try? store.marks.setPinned(true, key: record.key)
            if let version = try? store.history.versions(key: record.key).last {
                _ = try? store.history.checkout(key: record.key, generation: version.generation)
            }
        }
        if let last = records.last {
            _ = try? store.discard([last.key], cause: .user, deliveredNow: false)
        }
        if let closed = (try? store.discards.recentlyClosed())?.first {
            _ = try? store.discards.reopen(identifier: closed.record.id)
        }
        _ = try? store.upkeep.verifyRows(budgetMilliseconds: 1_000)
        _ = try? store.upkeep.perform(budgetMilliseconds: 5)
        _ = try? store.log.tend(now: VirtualClock.start, isIdle: true)
    }

    /// What is left of it, into another container.
    private func salvage() {
        let other = container + "-salvaged"
        SmallFile.remove(other)
        let file = container + "/" + ContainerName.store
        if (try? SceneSessionStore.salvage(from: file, to: other)) != nil {
            StoreReading(other, access: 0).read()
        }
        SmallFile.remove(other)
    }

    /// What was mended is sound, and opens.
    private func repair() {
        guard
            let report = try? SceneSessionStore.repair(at: .directory(container)),
            !report.remaining.contains(where: { $0.severity >= .warning })
        else {
            return
        }
        var options = SceneSessionStore.Options()
        options.access = .editor
        let store = try? SceneSessionStore.open(at: .directory(container), options: options)
        require(store != nil, "what was mended opens")
        _ = try? store?.close()
    }

    /// An app on it: it launches, gets links, leaves, quits, and comes back.
    private func launch() {
        guard let device = try? SimulatedDevice(storage: .directory(container)) else {
            return
        }
        device.options = GoodStore.options
        let links = Payload.urls([OpenURLContext(url: "video-1")])
        for round in 0..<2 {
            let payloads = access & 4 == 0 ? [] : [links]
            guard let application = try? device.launch(payloads, delegate: { FuzzApp() }) else {
                return
            }
            StoreQuestions(application.store).ask()
            _ = try? application.receive(links)
            for payload in application.inbox.offered.map(\.payload) {
                _ = try? application.acknowledge(payload)
            }
            application.requestSceneSessionActivation(.init())
            let scenes = application.connectedScenes.map(\.session.persistentIdentifier)
            _ = try? application.moveToBackground(scenes)
            if let first = scenes.first {
                _ = try? application.closeWindow(of: first)
            }
            device.wait(milliseconds: 60_000)
            _ = try? application.performIdleWork()
            if access & 8 == 0 || round == 1 {
                _ = try? device.quit()
            }
            device.reboot()
        }
    }
}

/// Everything that a store can be asked.
private struct StoreQuestions {
    private let store: SceneSessionStore

    init(_ store: SceneSessionStore) {
        self.store = store
    }

    func ask() {
        _ = try? StoreSummary(reading: store)
        askOfSessions()
        _ = try? store.discards.pending()
        _ = try? store.discards.recentlyClosed()
        _ = try? store.launches.records()
        _ = try? store.journal.events()
        _ = try? store.inbox.pending()
        _ = try? store.savedActivities()
        _ = try? store.configurations.inUse()
        _ = try? store.read { skeleton throws(SceneStoreError) in
            try skeleton.recordsWithConditions()
        }
        _ = try? store.openCount()
        _ = try? store.upkeep.pruningPlan()
        askForPlans()
        _ = try? store.verify(.full)
        _ = try? store.export()
        _ = store.takeDiagnostics()
    }

    private func askOfSessions() {
        let records = (try? store.openRecords()).map { Array($0) } ?? []
        _ = try? SessionLabel.labels(of: records[...], in: store)
        for record in records {
            require(record.isOpen, "an open record is open")
            _ = try? store.session(for: record)
            _ = try? store.restorationActivity(key: record.key)
            _ = try? store.saveContext(key: record.key)
            _ = try? store.values.storageValues(key: record.key)
            for version in (try? store.history.versions(key: record.key)) ?? [] {
                _ = try? store.history.state(key: record.key, generation: version.generation)
            }
        }
    }

    private func askForPlans() {
        let payload = Payload.urls([OpenURLContext(url: "video-2")])
        for isRunning in [false, true] {
            let plan = try? LaunchPlan(
                reading: store, options: GoodStore.options, isRunning: isRunning,
                payloads: [payload])
            if let plan {
                plan.records.forEach { _ = plan.verdict(for: $0) }
            }
        }
        for state in DeliveryPlan.AppState.allCases {
            _ = try? DeliveryPlan(
                reading: store, options: GoodStore.options, payload: payload, appState: state)
        }
    }
}
