extension DemoStep {
    /// All steps in order.
    static let all: [DemoStep] = [
        plain, path, query, booleanQuery, jsonBody,
        token, noToken, validationFailure,
        stub, multiTarget, callback, cancellation,
        compressed, lines, events, upload, download,
    ]
}
