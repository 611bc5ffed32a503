import Foundation

/// A scripted answer that can't be given: a mistake in the script. Match its ``reason``.
public struct ScriptedAnswerError: Error, Sendable {
    /// What is wrong with it.
    public enum Reason: Hashable, Sendable {
        /// The file can't be read, or changed while it was; ``ScriptedAnswerError/underlyingError`` says why.
        case file(URL)
        /// The value, of this type, can't be encoded; ``ScriptedAnswerError/underlyingError`` says why.
        case notEncodable(String)
        /// The number is no status of an answer: those are from 200 to 999.
        case notAStatus(Int)
        /// The name is none that a header can have.
        case invalidHeaderName(String)
    }

    /// What is wrong with it.
    public let reason: Reason
    /// The cause, if there is one.
    public let underlyingError: (any Error)?

    init(_ reason: Reason, underlyingError: (any Error)? = nil) {
        self.reason = reason
        self.underlyingError = underlyingError
    }

    /// Says of an error that it is about a file.
    static func catching<Value>(_ file: URL, _ body: () throws -> Value) throws(ScriptedAnswerError) -> Value {
        do {
            return try body()
        } catch {
            throw ScriptedAnswerError(.file(file), underlyingError: error)
        }
    }
}

extension ScriptedAnswerError: Equatable {
    /// Whether the reasons are the same.
    public static func == (lhs: ScriptedAnswerError, rhs: ScriptedAnswerError) -> Bool { lhs.reason == rhs.reason }
}

extension ScriptedAnswerError: LocalizedError {
    /// What is wrong, and what to do.
    public var errorDescription: String? {
        switch reason {
        case .file(let url):
            let name = url.isFileURL ? url.path : url.absoluteString
            switch (underlyingError as? RequestBodyError)?.reason {
            case .missing: return "The file \"\(name)\" of a scripted answer does not exist: correct the name."
            case .notAFileURL:
                return "The URL \"\(name)\" of a scripted answer is no file URL: give that of a local file."
            case .isDirectory: return "The file \"\(name)\" of a scripted answer is a directory: name a file in it."
            case .sizeChanged:
                return "The file \"\(name)\" of a scripted answer changed while it was read: leave it alone."
            default: return "The file \"\(name)\" of a scripted answer can't be read: name a file that can."
            }
        case .notEncodable(let type):
            let cause = underlyingError.map { " \($0.localizedDescription)" } ?? ""
            return "The \(type) of a scripted answer can't be encoded as JSON: correct it, or give text.\(cause)"
        case .notAStatus(let status):
            return "A scripted answer has the status \(status): give one from 200 to 999."
        case .invalidHeaderName(let name):
            return "A scripted answer has a header named \(name.debugDescription): give a name that HTTP allows."
        }
    }
}

extension ScriptedAnswerError: CustomStringConvertible {
    /// The text of the error, which is what tests print.
    public var description: String { errorDescription ?? "" }
}
