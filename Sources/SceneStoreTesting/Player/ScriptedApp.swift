#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import SceneStore

/// The app of a scenario, as its setting-up steps describe it.
struct ScriptedApp {
    var lifecycle = Scenario.Profile.scene
    var identifier: String?
    var version: String?
    var manifest: SceneManifest?
    var will = ScenarioStep.DelegateStep.LaunchAnswer.answer(true)
    var did = ScenarioStep.DelegateStep.LaunchAnswer.answer(true)
    var restore = ScenarioStep.DelegateStep.RestoreAnswer.answer(true)
    var provider: ScenarioStep.DelegateStep.ProviderAnswer?
    var providerByRole: [SceneSessionRole: ScenarioStep.DelegateStep.RoleAnswer] = [:]
    var providerRole = ScenarioStep.DelegateStep.ProviderRole.asked
    var options = SceneApplicationOptions()
    var discardsOnForceQuit = false
    var displays: [Display] = []

    /// Takes over what a delegate step says.
    mutating func apply(_ step: ScenarioStep.DelegateStep) {
        will = step.will ?? will
        did = step.did ?? did
        restore = step.restore ?? restore
        provider = step.provider ?? provider
        for answer in step.providerByRole {
            providerByRole[answer.role] = answer
        }
        providerRole = step.providerRole ?? providerRole
    }

    /// Takes over what a policy step says.
    mutating func apply(_ step: ScenarioStep.PolicyStep) {
        options.reconnection = step.reconnection ?? options.reconnection
        options.launchBehavior = step.launchBehavior ?? options.launchBehavior
        if let whenActive = step.deliversWhenActive {
            options.delivery = whenActive ? .whenActive : .uikit
        }
        discardsOnForceQuit = step.discardsOnForceQuit ?? discardsOnForceQuit
        options.keepsPreviousState = step.keepsPreviousState ?? options.keepsPreviousState
        options.durability = step.durability ?? options.durability
        options.requiresDeclaredActivityTypes =
            step.isStrict ?? options.requiresDeclaredActivityTypes
        options.holdsAfterCrashes = step.holdAfter ?? options.holdsAfterCrashes
        options.persistsInbox = step.persistsInbox ?? options.persistsInbox
        options.closingLastWindow = step.closingLastWindow ?? options.closingLastWindow
        options.restoresClosedValue = step.restoresClosedValue ?? options.restoresClosedValue
        options.remembersPrivateWindows =
            step.remembersPrivateWindows ?? options.remembersPrivateWindows
        switch step.opening {
        case .usual: options.openingConfiguration = nil
        case .named(let name): options.openingConfiguration = name
        case nil: break
        }
    }

    /// Takes over what an app step says.
    mutating func apply(_ step: ScenarioStep.AppStep) {
        lifecycle = step.lifecycle ?? lifecycle
        identifier = step.identifier ?? identifier
        version = step.version ?? version
    }

    /// Takes over an update, its manifest excepted.
    mutating func apply(_ step: ScenarioStep.UpdateStep) {
        version = step.version ?? version
        for rename in step.renames {
            options.configurationRenames[rename.old] = rename.new
        }
    }

    /// The options of a launch.
    func launchOptions(profile: Scenario.Profile?) -> SceneApplicationOptions {
        var result = options
        result.manifest = manifest
        result.appVersion = version ?? manifest?.bundleVersion
        result.lifecycle = (profile ?? lifecycle) == .scene ? .scene : .application
        return result
    }

    /// Whether a state may be restored that this version saved.
    func allowsRestoring(savedBy savedVersion: String?) -> Bool {
        switch restore {
        case .answer(let answer): answer
        case .throwing: true
        case .sameVersion: savedVersion == version ?? manifest?.bundleVersion
        }
    }

    /// What the provider answers for a role; nil when it is not implemented.
    func providerAnswer(for role: SceneSessionRole) -> SceneConfiguration? {
        let answerRole =
            switch providerRole {
            case .asked: role
            case .fixed(let fixed): fixed
            }
        if let answer = providerByRole[role] {
            return SceneConfiguration(name: answer.name, role: answerRole)
        }
        switch provider ?? (manifest == nil ? .named("Default Configuration") : .notImplemented) {
        case .notImplemented: return nil
        case .unnamed: return SceneConfiguration(name: nil, role: answerRole)
        case .named(let name): return SceneConfiguration(name: name, role: answerRole)
        }
    }
}
