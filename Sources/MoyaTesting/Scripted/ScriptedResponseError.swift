import Foundation
import Moya

/// The error for an invalid response in a script; see its ``reason``.
public struct ScriptedResponseError: Error, Sendable {
    /// The reason for the error.
    public enum Reason: Hashable, Sendable {
        /// The file cannot be read, or changed while it was read; ``ScriptedResponseError/underlyingError`` is the
        /// cause.
        case file(URL)
        /// A value of this type cannot be encoded; ``ScriptedResponseError/underlyingError`` is the cause.
        case notEncodable(String)
        /// The status is invalid: the status of a final response is from 200 to 999.
        case notAStatus(Int)
        /// The header name is invalid.
        case invalidHeaderName(String)
        /// The script opens a WebSocket for a request that does not ask for one.
        case noWebSocketRequest
    }

    /// The reason for the error.
    public let reason: Reason
    /// The cause, if any.
    public let underlyingError: (any Error)?

    init(_ reason: Reason, underlyingError: (any Error)? = nil) {
        self.reason = reason
        self.underlyingError = underlyingError
    }

    /// Runs a function and converts its error to one with the reason ``Reason/file(_:)``.
    static func catching<Value>(_ file: URL, _ body: () throws -> Value) throws(ScriptedResponseError) -> Value {
        do {
            return try body()
        } catch {
            throw ScriptedResponseError(.file(file), underlyingError: error)
        }
    }
}

extension ScriptedResponseError: Equatable {
    /// Returns whether the reasons are equal.
    public static func == (lhs: ScriptedResponseError, rhs: ScriptedResponseError) -> Bool { lhs.reason == rhs.reason }
}

extension ScriptedResponseError: MaskedError {
    /// The reason, and how to resolve the error.
    public var errorDescription: String? {
        switch reason {
        case .file(let url):
            let name = url.isFileURL ? url.path : url.absoluteString
            switch (underlyingError as? RequestBodyError)?.reason {
            case .missing: return "The file \"\(name)\" of a scripted response does not exist: correct the name."
            case .notAFileURL:
                return "The URL \"\(name)\" of a scripted response is not a file URL: give the URL of a local file."
            case .isDirectory: return "The file \"\(name)\" of a scripted response is a directory: name a file in it."
            case .sizeChanged:
                return "The file \"\(name)\" of a scripted response changed while it was read: do not change it."
            default: return "The file \"\(name)\" of a scripted response can't be read: give a readable file."
            }
        case .notEncodable(let type):
            let cause = underlyingError.map { " \($0.localizedDescription)" } ?? ""
            return "The \(type) of a scripted response can't be encoded as JSON: correct it, or give text.\(cause)"
        case .notAStatus(let status):
            return "A scripted response has the status \(status): give one from 200 to 999."
        case .invalidHeaderName(let name):
            return "A scripted response has a header named \(name.debugDescription): give a valid name."
        case .noWebSocketRequest:
            return
                "A scripted response opens a WebSocket, which the request does not ask for: use webSocket(_:) of the provider."
        }
    }
}

extension ScriptedResponseError: CustomStringConvertible {
    /// The text of the error, as tests print it.
    public var description: String { errorDescription ?? "" }
}
