import Foundation
import Moya
import MoyaHAR

/// The error for requests that do not match a test's expectation.
///
/// The description contains the expectation, the most similar request, and the differences, with secrets masked.
public struct RequestMismatch: Error, Sendable {
    /// The kind of mismatch.
    public enum Reason: Hashable, Sendable {
        /// No request matches.
        case noMatch
        /// The number of matching requests is wrong.
        case count(expected: Int, found: Int)
        /// A request was not expected.
        case unexpected
        /// Another request was expected at this position.
        case outOfOrder
        /// More requests were expected.
        case missing
        /// The expectation is invalid because its JSON cannot be created.
        case invalid(String)
    }

    /// The kind of mismatch.
    public let reason: Reason
    /// The expectation in one line; empty if no request was expected.
    public let expected: String
    /// The unexpected request, or the most similar one.
    public let request: CapturedRequest?
    /// The differences of ``request``.
    public let differences: [RequestDifference]
    /// All requests that were compared.
    public let requests: [CapturedRequest]
    /// The location in the test: `AppTests/UserTests.swift:31`.
    public var location: String?

    init(
        _ reason: Reason,
        expected: ExpectedRequest?,
        request: CapturedRequest? = nil,
        differences: [RequestDifference] = [],
        in requests: [CapturedRequest]
    ) {
        self.reason = reason
        let secrets = (request ?? requests.first)?.secrets ?? .standard
        self.expected = expected?.text(masking: secrets) ?? ""
        self.request = request
        self.differences = differences
        self.requests = requests
    }

    /// Creates the error for an expectation that no request matches.
    init(noneIs expected: ExpectedRequest, in requests: [CapturedRequest]) {
        let nearest = expected.nearest(in: requests)
        self.init(
            expected.mistake.map { .invalid($0) } ?? .noMatch,
            expected: expected,
            request: nearest?.request,
            differences: nearest?.differences ?? [],
            in: requests
        )
    }

    /// Returns the error with its location in the test.
    func at(_ fileID: String, _ line: Int) -> RequestMismatch {
        var mismatch = self
        mismatch.location = "\(fileID):\(line)"
        return mismatch
    }
}

extension RequestMismatch: MaskedError {
    /// The expectation, the most similar request, and the differences.
    public var description: String {
        [headline, difference, list].filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The expectation, the most similar request, and the differences.
    public var errorDescription: String? { description }

    /// An empty mirror, which hides secrets; the description contains the masked content.
    public var customMirror: Mirror { Mirror(self, children: []) }

    private var headline: String {
        let what =
            switch reason {
            case .noMatch: "No request matches: \(expected)"
            case .count(let expected, let found):
                "\(found == 1 ? "1 request matches" : "\(found) requests match"), not \(expected): \(self.expected)"
            case .unexpected: "A request was not expected: \(request?.description ?? "")"
            case .outOfOrder: "Another request was expected here: \(expected)"
            case .missing: "One more request was expected: \(expected)"
            case .invalid(let mistake): "The expectation is invalid: \(mistake)"
            }
        return location.map { "\(what) (at \($0))" } ?? what
    }

    private var difference: String {
        guard let request, !differences.isEmpty else { return "" }
        let name = "request \(request.number), \(request)"
        let nearest = reason == .outOfOrder ? "There was \(name)" : "The nearest is \(name)"
        return "\(nearest): (- expected, + actual)\n\(RequestDifference.text(of: differences))"
    }

    private var list: String {
        if case .invalid = reason { return "" }
        // The difference already names a single request.
        return requests.count == 1 && request != nil ? "" : "\(RequestList(requests))"
    }
}
