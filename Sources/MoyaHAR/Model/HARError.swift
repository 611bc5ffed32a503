import Foundation
import MoyaHTTP

/// The error for an archive that cannot be read or written; see its ``reason``, ``path`` and ``file``.
///
/// The error's text contains the path and the kind of error, but no content of the file.
public struct HARError: Error, Hashable, Sendable {
    /// The reason for the error.
    public enum Reason: Hashable, Sendable {
        /// The file does not exist.
        case missing
        /// The file is a directory, a device, a socket or a named pipe.
        case notARegularFile
        /// The file is not accessible, or reading failed.
        case notReadable
        /// The file cannot be written.
        case notWritable
        /// The file has more bytes than ``HARLimits/size``.
        case tooLarge(limit: Int)
        /// The file is nested deeper than ``HARLimits/depth``.
        case tooDeep(limit: Int)
        /// The file is not JSON in UTF-8.
        case notJSON
        /// The file is incomplete.
        case cut
        /// A required value is missing.
        case missingValue
        /// A value has the wrong type.
        case wrongType(expected: String)
        /// A value is invalid, for the reason in the text.
        case invalidValue(String)
    }

    /// The reason for the error.
    public let reason: Reason
    /// The path of the value, such as `log.entries[3].request.method`; `nil` for the whole archive.
    public let path: String?
    /// The file, if the archive is from a file.
    public var file: URL?

    /// Creates an error.
    public init(_ reason: Reason, path: String? = nil, file: URL? = nil) {
        self.reason = reason
        self.path = path
        self.file = file
    }
}

extension HARError: MaskedError {
    /// The reason, the location, and how to resolve the error.
    public var errorDescription: String? { masked(sentence) }

    private var sentence: String {
        let name = file.map { " \"\($0.isFileURL ? $0.path : $0.absoluteString)\"" } ?? ""
        let place = path.map { " at \($0)" } ?? ""
        switch reason {
        case .missing: return "There is no HAR file\(name): record one first, or correct the name."
        case .notARegularFile: return "The HAR file\(name) is a directory or a device: name a file."
        case .notReadable: return "The HAR file\(name) can't be read: change its permissions."
        case .notWritable:
            return "The HAR file\(name) can't be written: name a file in a folder that may be written to."
        case .tooLarge(let limit):
            return "The HAR file\(name) has more than \(limit) bytes: raise the limit if you trust it."
        case .tooDeep(let limit):
            return "The HAR file\(name) is nested more than \(limit) levels deep: raise the limit if you trust it."
        case .notJSON:
            return "The HAR file\(name) is not JSON in UTF-8\(place): name a file that a browser or this library wrote."
        case .cut: return "The HAR file\(name) is incomplete: export it again."
        case .missingValue: return "The HAR file\(name) is missing a required value\(place)."
        case .wrongType(let expected): return "The HAR file\(name) has no \(expected)\(place)."
        case .invalidValue(let problem): return "The HAR file\(name) is invalid\(place): the value \(problem)."
        }
    }
}

extension HARError {
    /// Creates an error from a decoder's error.
    init(_ error: any Error) {
        guard let error = error as? DecodingError else {
            self.init(.notJSON)
            return
        }
        switch error {
        case .typeMismatch(let type, let context):
            self.init(.wrongType(expected: Self.name(of: type)), path: Self.pathText(context.codingPath))
        case .valueNotFound(let type, let context):
            self.init(.wrongType(expected: Self.name(of: type)), path: Self.pathText(context.codingPath))
        case .keyNotFound(let key, let context):
            self.init(.missingValue, path: Self.pathText(context.codingPath + [key]))
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            self.init(.notJSON)
        case .dataCorrupted(let context):
            self.init(.invalidValue(context.debugDescription), path: Self.pathText(context.codingPath))
        @unknown default:
            self.init(.notJSON)
        }
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: "true or false"
        case is Double.Type, is Int.Type, is Int64.Type: "number"
        case is [Any].Type: "list"
        default: "\(type)".hasPrefix("Array") ? "list" : "object"
        }
    }

    /// Returns the path of a value; `nil` for the whole archive.
    static func pathText(_ keys: [any CodingKey]) -> String? {
        keys.isEmpty
            ? nil
            : keys.reduce(into: "") { path, key in
                if let index = key.intValue {
                    path += "[\(index)]"
                } else {
                    path += (path.isEmpty ? "" : ".") + key.stringValue
                }
            }
    }
}
