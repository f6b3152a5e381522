import SceneStore
import SceneStoreTesting
import Testing

/// The one step of a one-line scenario.
func step(_ line: String) throws -> ScenarioStep.Kind {
    let steps = try Scenario(text: line, name: "s").steps
    try #require(steps.count == 1)
    return steps[0].kind
}

/// The error of a scenario as its reader prints it.
func failure(_ text: String) -> String? {
    failure(Array(text.utf8))
}

func failure(_ text: [UInt8]) -> String? {
    do {
        _ = try Scenario(text: text, name: "s")
        return nil
    } catch {
        return error.description
    }
}

func session(_ name: String, _ column: Int) -> ScenarioStep.SessionReference {
    ScenarioStep.SessionReference(name: name, column: column)
}

extension ScenarioStep.Kind {
    var app: ScenarioStep.AppStep? {
        if case .app(let step) = self { step } else { nil }
    }

    var manifest: ScenarioStep.ManifestStep? {
        if case .manifest(let step) = self { step } else { nil }
    }

    var delegate: ScenarioStep.DelegateStep? {
        if case .delegate(let step) = self { step } else { nil }
    }

    var policy: ScenarioStep.PolicyStep? {
        if case .policy(let step) = self { step } else { nil }
    }

    var update: ScenarioStep.UpdateStep? {
        if case .update(let step) = self { step } else { nil }
    }

    var launch: ScenarioStep.LaunchStep? {
        if case .launch(let step) = self { step } else { nil }
    }

    var newScene: ScenarioStep.NewSceneStep? {
        if case .newScene(let step) = self { step } else { nil }
    }

    var activate: ScenarioStep.ActivateStep? {
        if case .activate(let step) = self { step } else { nil }
    }

    var continueActivity: ScenarioStep.ContinueStep? {
        if case .continueActivity(let step) = self { step } else { nil }
    }

    var state: ScenarioStep.StateStep? {
        if case .state(let step) = self { step } else { nil }
    }

    var values: ScenarioStep.ValuesStep? {
        switch self {
        case .userInfo(let step), .store(let step): step
        default: nil
        }
    }

    var expectSession: ScenarioStep.SessionExpectation? {
        if case .expectSession(let step) = self { step } else { nil }
    }

    var expectPayload: ScenarioStep.PayloadExpectation? {
        if case .expectPayload(let step) = self { step } else { nil }
    }
}
