import Foundation
import MoyaHAR

/// Requests that are not as a test expected. Its description is for reading: what was expected, what comes nearest, and the
/// difference, with secrets masked.
public struct RequestMismatch: Error, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// No request is as expected.
        case noMatch
        /// Another number of requests is as expected.
        case count(expected: Int, found: Int)
        /// A request is there that is not expected.
        case unexpected
        /// At its place another request is expected.
        case outOfOrder
        /// More requests are expected.
        case missing
        /// Nothing can be compared with what is expected: its JSON can't be made.
        case invalid(String)
    }

    /// What is wrong.
    public let reason: Reason
    /// What was expected, in one line; empty where nothing was.
    public let expected: String
    /// The request that is not expected, or that is most like what was.
    public let request: SeenRequest?
    /// In what it differs.
    public let differences: [RequestDifference]
    /// All that were looked at.
    public let requests: [SeenRequest]
    /// Where in the test: `AppTests/UserTests.swift:31`.
    public var location: String?

    init(
        _ reason: Reason,
        expected: ExpectedRequest?,
        request: SeenRequest? = nil,
        differences: [RequestDifference] = [],
        in requests: [SeenRequest]
    ) {
        self.reason = reason
        let secrets = (request ?? requests.first)?.secrets ?? .standard
        self.expected = expected?.description(masking: secrets) ?? ""
        self.request = request
        self.differences = differences
        self.requests = requests
    }

    /// Why none of the requests is as expected, and which comes nearest.
    init(noneIs expected: ExpectedRequest, in requests: [SeenRequest]) {
        let nearest = expected.nearest(in: requests)
        self.init(
            expected.mistake.map { .invalid($0) } ?? .noMatch,
            expected: expected,
            request: nearest?.request,
            differences: nearest?.differences ?? [],
            in: requests
        )
    }

    func at(_ fileID: String, _ line: Int) -> RequestMismatch {
        var mismatch = self
        mismatch.location = "\(fileID):\(line)"
        return mismatch
    }
}

extension RequestMismatch: LocalizedError, CustomStringConvertible, CustomReflectable {
    /// What was expected, what comes nearest, and the difference.
    public var description: String {
        [headline, difference, list].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// What was expected, what comes nearest, and the difference.
    public var errorDescription: String? { description }

    /// Nothing: the description says all.
    public var customMirror: Mirror { Mirror(self, children: []) }

    private var headline: String {
        let what =
            switch reason {
            case .noMatch: "No request is as expected: \(expected)"
            case .count(let expected, let found):
                "\(found == 1 ? "1 request is" : "\(found) requests are") as expected, and not \(expected): \(self.expected)"
            case .unexpected: "A request was not expected: \(request?.description ?? "")"
            case .outOfOrder: "Another request was expected here: \(expected)"
            case .missing: "One more request was expected: \(expected)"
            case .invalid(let mistake): "Nothing can be compared with what is expected: \(mistake)"
            }
        return location.map { "\(what) (at \($0))" } ?? what
    }

    private var difference: String {
        guard let request, !differences.isEmpty else { return "" }
        let name = "request \(request.number), \(request)"
        let nearest = reason == .outOfOrder ? "There was \(name)" : "The nearest is \(name)"
        return "\(nearest): (- expected, + asked)\n\(RequestDifference.text(of: differences))"
    }

    private var list: String {
        if case .invalid = reason { return "" }
        // What is shown already is not shown again.
        return requests.count == 1 && request != nil ? "" : "\(SeenList(requests))"
    }
}

/// Requests, for errors: a line each.
struct SeenList: CustomStringConvertible {
    private let requests: [SeenRequest]
    private static let limit = 10

    init(_ requests: [SeenRequest]) { self.requests = requests }

    var description: String {
        guard !requests.isEmpty else { return "Nothing was asked." }
        var lines = requests.prefix(Self.limit).map { "  \($0.number)  \($0)" }
        if requests.count > Self.limit { lines.append("  … and \(requests.count - Self.limit) more") }
        let count = requests.count == 1 ? "1 request was" : "\(requests.count) requests were"
        return (["\(count) seen:"] + lines).joined(separator: "\n")
    }
}
