import SceneStoreEngine
import SceneStoreStorage
import SceneStoreValues

extension SceneApplication {
    /// Asks the app where what launched the process, and what waits in the inbox, is to go (L-79).
    /// Answers what launched the process and is to be handed over, and how many the app has dealt with
    /// itself.
    func nameTargets(of payloads: [Payload]) -> (payloads: [Payload], handled: Int) {
        guard core.options.lifecycle == .scene else {
            return (payloads, 0)
        }
        if let end = try? core.store.read({ db throws(SceneStoreError) in db.previousEnd }) {
            core.engine.rules.begin(after: end)
        }
        var named = payloads.map { ($0, delegate.application(self, targetFor: $0)) }
        let rest = named.filter { $0.1 != .handled }.map(\.0)
        // Nothing while the inbox can't be read, which the launch tells.
        let waiting = try? core.store.read { skeleton throws(SceneStoreError) in
            try LaunchPlan.waiting(skeleton)
        }
        for item in waiting?.items ?? [] where !item.isSetAside {
            let key = item.payload.deduplicationKey
            if let known = named.first(where: { key != nil && $0.0.deduplicationKey == key }) {
                // It arrives again: the app was asked about it.
                if known.1 == .handled {
                    core.engine.rules.handledItems.insert(item.id)
                }
                continue
            }
            // The app may die of the question, each time it is asked (L-65).
            core.attempt(try core.store.inbox.setDelivery(of: item.id, deaths: item.deaths))
            let target = delegate.application(self, targetFor: item.payload)
            let deaths = item.id == waiting?.blamed?.id ? item.deaths - 1 : item.deaths
            core.attempt(
                try core.store.inbox.setDelivery(of: item.id, order: item.order, deaths: deaths))
            if target == .handled {
                core.engine.rules.handledItems.insert(item.id)
            } else {
                named.append((item.payload, target))
            }
        }
        core.engine.rules.namedTargets = named.compactMap { payload, target in
            target.map { (payload, $0) }
        }
        prepare(for: named.compactMap(\.1))
        return (rest, payloads.count - rest.count)
    }
}
