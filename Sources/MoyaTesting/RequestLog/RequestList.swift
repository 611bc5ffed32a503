/// A list of requests for errors, one per line.
struct RequestList: CustomStringConvertible {
    private let requests: [CapturedRequest]
    private static let limit = 10

    init(_ requests: [CapturedRequest]) { self.requests = requests }

    var description: String {
        guard !requests.isEmpty else { return "There were no requests." }
        var lines = requests.prefix(Self.limit).map { "  \($0.number)  \($0)" }
        if requests.count > Self.limit { lines.append("  … and \(requests.count - Self.limit) more") }
        let count = requests.count == 1 ? "1 request was" : "\(requests.count) requests were"
        return (["\(count) recorded:"] + lines).joined(separator: "\n")
    }
}
