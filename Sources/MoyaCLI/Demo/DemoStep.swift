/// One step of the demo.
struct DemoStep: Sendable {
    let title: String
    /// The line of Swift that the step shows.
    let code: String
    /// The expected result in words.
    let expectation: String
    let run: @Sendable (DemoContext) async throws -> Finding

    init(
        _ title: String,
        code: String,
        expecting expectation: String,
        run: @escaping @Sendable (DemoContext) async throws -> Finding
    ) {
        self.title = title
        self.code = code
        self.expectation = expectation
        self.run = run
    }
}

/// The result of a step, and whether it was as expected.
struct Finding: Equatable, Sendable {
    let text: String
    let isAsExpected: Bool

    init(_ text: String, isAsExpected: Bool) {
        self.text = text
        self.isAsExpected = isAsExpected
    }
}
