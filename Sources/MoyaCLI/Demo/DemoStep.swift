/// One thing that the demo shows.
struct DemoStep: Sendable {
    let title: String
    /// The line of Swift that it is about.
    let code: String
    /// The answer that makes it a success, in words.
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

/// What a step got, and whether that is what it expected.
struct Finding: Equatable, Sendable {
    let text: String
    let isAsExpected: Bool

    init(_ text: String, isAsExpected: Bool) {
        self.text = text
        self.isAsExpected = isAsExpected
    }
}
