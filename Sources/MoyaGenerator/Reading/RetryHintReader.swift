/// Reads the extensions that describe when requests are repeated.
enum RetryHintReader {
    static func read(_ operation: DocumentCursor) -> RetryHint? {
        if let hint = operation["x-speakeasy-retries"] { return readSpeakeasy(hint) }
        if operation["x-fern-retries"]?["disabled"]?.node.bool == true { return .never }
        return nil
    }

    private static func readSpeakeasy(_ hint: DocumentCursor) -> RetryHint? {
        switch hint.text("strategy") {
        case "backoff":
            let backoff = hint["backoff"]
            return .backoff(
                statuses: statuses(hint["statusCodes"]?.elements.compactMap(\.node.scalarText) ?? []),
                maximumDelay: backoff?.text("maxInterval").flatMap(seconds),
                retryPeriod: backoff?.text("maxElapsedTime").flatMap(seconds)
            )
        case "none": return .never
        default: return nil
        }
    }

    /// Returns the statuses of texts such as `429` and `5XX`.
    private static func statuses(_ texts: [String]) -> [Int] {
        let all = texts.flatMap { text -> [Int] in
            switch text.uppercased() {
            // Other errors of servers do not end by waiting.
            case "5XX": [500, 502, 503, 504]
            case "4XX": [408, 425, 429]
            default: Int(text).map { [$0] } ?? []
            }
        }
        return Set(all.filter { (100...599).contains($0) }).sorted()
    }

    private static func seconds(_ milliseconds: String) -> Int? {
        Int(milliseconds).flatMap { $0 > 0 ? max(1, $0 / 1000) : nil }
    }
}
