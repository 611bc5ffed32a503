import Foundation
import Moya

/// The responses of a script, and how many of them were used.
struct Script: Sendable {
    typealias Matcher = @Sendable (TransportRequest) -> Bool

    struct Part: Sendable {
        let name: String
        var responses: [ScriptedResponse]
        let matches: Matcher
        /// The number of requests that received a response of this part.
        var requestCount = 0

        /// The response to the next request; `nil` if no further request is allowed.
        var response: ScriptedResponse? {
            let response = requestCount < responses.count ? responses[requestCount] : responses.last
            return response.flatMap { $0.isResponse ? $0 : nil }
        }
    }

    private static let queueName = "the next requests"

    /// The responses to the next requests of any kind; each is used once.
    private var queued = Part(name: queueName, responses: []) { _ in true }
    private var list: [Part] = []

    /// The matchers of all parts, in order.
    var matchers: [Matcher] { list.map(\.matches) }

    /// All parts, for descriptions.
    var parts: [ScriptPart] {
        (queued.responses.isEmpty ? [] : [queued]).map { ScriptPart($0) } + list.map { ScriptPart($0) }
    }

    mutating func queue(_ responses: [ScriptedResponse]) { queued.responses += responses.filter(\.isResponse) }

    mutating func add(_ name: String, _ responses: [ScriptedResponse], matches: @escaping Matcher) {
        list.append(Part(name: name, responses: responses, matches: matches))
    }

    /// Takes the next queued response.
    mutating func takeQueued() -> (ScriptedResponse, ScriptedDraw?)? {
        guard queued.requestCount < queued.responses.count else { return nil }
        return Self.take(&queued)
    }

    /// Takes the next response from the first of the given parts that has one left.
    mutating func take(from candidates: [Int]) -> (ScriptedResponse, ScriptedDraw?)? {
        candidates.first { list[$0].response != nil }.flatMap { Self.take(&list[$0]) }
    }

    private static func take(_ part: inout Part) -> (ScriptedResponse, ScriptedDraw?)? {
        guard let response = part.response else { return nil }
        defer { part.requestCount += 1 }
        return response.resolved(number: part.requestCount, part: part.name)
    }
}

/// A part of a script, for descriptions.
public struct ScriptPart: Hashable, Sendable, CustomStringConvertible {
    /// The requests that the part matches: `GitHub.zen, GET https://api.github.com/zen`.
    public let name: String
    /// The number of responses.
    public let responses: Int
    /// The number of responses that were used.
    public let used: Int

    fileprivate init(_ part: Script.Part) {
        name = part.name
        responses = part.responses.count { $0.isResponse }
        used = min(part.requestCount, responses)
    }

    /// The name, the number of responses, and how many of them were used.
    public var description: String {
        "\(name): \(responses) \(responses == 1 ? "answer" : "answers"), \(used == 0 ? "none" : "\(used)") used"
    }
}

/// The error for a request that is not in the script; see its ``reason``.
public struct ScriptError: Error, Hashable, Sendable {
    /// The reason for the error.
    public enum Reason: Hashable, Sendable {
        /// No part of the script matches the request.
        case notScripted
        /// The matching parts allow no further request: ``ScriptedResponse/noMore``.
        case over
    }

    /// The reason for the error.
    public let reason: Reason
    /// The request, masked, without its body.
    public let request: HAR.Request
    /// The target's type and case, if the request was created from a target.
    public let target: String?
    /// The parts of the script.
    public let scripted: [ScriptPart]
}

extension ScriptError: MaskedError {
    /// The request and the parts of the script.
    public var errorDescription: String? {
        let asked = "\(request.method) \(request.url.shortened)\(target.map { " (\($0))" } ?? "")"
        let list = scripted.map { "\n- \($0)" }.joined()
        switch reason {
        case .notScripted where scripted.isEmpty:
            return "Nothing is scripted for \(asked), or for any other request: script a response."
        case .notScripted:
            return
                "Nothing is scripted for \(asked): script a response, or find out why it is sent. The script:\(list)"
        case .over:
            return "The script allows no further \(asked): add a response, or find out why it is sent again. "
                + "The script:\(list)"
        }
    }
}

/// The error for responses of a script that were not used, because the test or the code has changed.
public struct UnusedResponsesError: Error, Hashable, Sendable, MaskedError {
    /// The parts of the script with unused responses.
    public let parts: [ScriptPart]

    /// The unused parts, and how to resolve the error.
    public var errorDescription: String? {
        let names = parts.map { "\n- \($0)" }.joined()
        return "Some scripted responses were not used: remove them from the script, or find out why.\(names)"
    }
}
