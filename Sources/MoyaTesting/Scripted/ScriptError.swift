import Foundation

/// A request that is not in the script. Match its ``reason``; ``scripted`` says what is.
public struct ScriptError: Error, Hashable, Sendable {
    /// Why there is no answer.
    public enum Reason: Hashable, Sendable {
        /// No part of the script is for such a request.
        case notScripted
        /// There was to be no such request any more: ``ScriptedAnswer/noMore``.
        case over
    }

    /// Why there is no answer.
    public let reason: Reason
    /// What was asked, masked, without its body.
    public let request: HAR.Request
    /// The target that was asked for, by its type and case, if the request was made from one.
    public let target: String?
    /// What is scripted.
    public let scripted: [ScriptPart]
}

extension ScriptError: LocalizedError {
    /// What was asked, and what is scripted.
    public var errorDescription: String? {
        let asked = "\(request.method) \(HARDifference.short(request.url))\(target.map { " (\($0))" } ?? "")"
        let list = scripted.map { "\n- \($0)" }.joined()
        switch reason {
        case .notScripted where scripted.isEmpty:
            return "Nothing is scripted for \(asked), nor for anything else: say what to answer."
        case .notScripted:
            return
                "Nothing is scripted for \(asked): say what to answer, or find out why it is asked. Scripted are:\(list)"
        case .over:
            return "There was to be no more \(asked): give one more answer, or find out why it is asked again. "
                + "Scripted are:\(list)"
        }
    }
}

/// Answers of a script that no request has had: the test has changed, or the code has.
public struct UnusedAnswersError: Error, Hashable, Sendable, LocalizedError {
    /// The parts of the script that have such answers.
    public let parts: [ScriptPart]

    /// Which they are, and what to do.
    public var errorDescription: String? {
        let names = parts.map { "\n- \($0)" }.joined()
        return "Not all that is scripted was asked for: take it out of the script, or find out why.\(names)"
    }
}

extension ScriptError: CustomStringConvertible {
    /// The text of the error, which is what tests print.
    public var description: String { errorDescription ?? "" }
}

extension UnusedAnswersError: CustomStringConvertible {
    /// The text of the error, which is what tests print.
    public var description: String { errorDescription ?? "" }
}
