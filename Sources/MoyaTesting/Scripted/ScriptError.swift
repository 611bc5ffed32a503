import Foundation

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

extension ScriptError: LocalizedError {
    /// The request and the parts of the script.
    public var errorDescription: String? {
        let asked = "\(request.method) \(HARDifference.short(request.url))\(target.map { " (\($0))" } ?? "")"
        let list = scripted.map { "\n- \($0)" }.joined()
        switch reason {
        case .notScripted where scripted.isEmpty:
            return "Nothing is scripted for \(asked), or for any other request: script an answer."
        case .notScripted:
            return
                "Nothing is scripted for \(asked): script an answer, or find out why it is sent. The script:\(list)"
        case .over:
            return "The script allows no further \(asked): add an answer, or find out why it is sent again. "
                + "The script:\(list)"
        }
    }
}

/// The error for answers of a script that were not used, because the test or the code has changed.
public struct UnusedResponsesError: Error, Hashable, Sendable, LocalizedError {
    /// The parts of the script with unused answers.
    public let parts: [ScriptPart]

    /// The unused parts, and how to resolve the error.
    public var errorDescription: String? {
        let names = parts.map { "\n- \($0)" }.joined()
        return "Some scripted answers were not used: remove them from the script, or find out why.\(names)"
    }
}

extension ScriptError: CustomStringConvertible {
    /// The text of the error, as tests print it.
    public var description: String { errorDescription ?? "" }
}

extension UnusedResponsesError: CustomStringConvertible {
    /// The text of the error, as tests print it.
    public var description: String { errorDescription ?? "" }
}
