/// The result of a run.
struct DemoReport: Equatable, Sendable {
    var steps: [StepReport] = []

    var isAsExpected: Bool { steps.allSatisfy(\.isAsExpected) }
}

/// The result of one step.
struct StepReport: Equatable, Sendable {
    var number: Int
    var title: String
    var isAsExpected: Bool
}
