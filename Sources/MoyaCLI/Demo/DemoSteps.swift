extension DemoStep {
    /// The steps, in the order in which they are taken.
    static let all: [DemoStep] = [
        plain, path, query, booleanQuery, jsonBody,
        token, noToken, validationFailure,
        stub, multiTarget, callback, cancellation,
        compressed, lines, events, upload, download,
    ]
}
