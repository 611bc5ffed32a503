import Foundation

/// An archive that can't be read or written. Match its ``reason``; ``path`` and ``file`` say where.
///
/// Texts name the place and the kind of mistake, and nothing of what is in the file.
public struct HARError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// There is no file of that name.
        case missing
        /// It is a directory, a device, a socket or a named pipe.
        case notARegularFile
        /// The file may not be read, or reading failed.
        case notReadable
        /// The file can't be written.
        case notWritable
        /// It has more bytes than this, which is ``HARLimits/size``.
        case tooLarge(limit: Int)
        /// It is nested deeper than this, which is ``HARLimits/depth``.
        case tooDeep(limit: Int)
        /// It is not JSON in UTF-8.
        case notJSON
        /// It ends in the middle.
        case cut
        /// What must be there is not.
        case missingValue
        /// A value is of another type.
        case wrongType(expected: String)
        /// A value makes no sense: the text says why.
        case invalidValue(String)
    }

    /// What is wrong.
    public let reason: Reason
    /// Where in the archive: `log.entries[3].request.method`; `nil` if it is about the whole.
    public let path: String?
    /// The file, if it came from one.
    public var file: URL?

    /// Makes an error.
    public init(_ reason: Reason, path: String? = nil, file: URL? = nil) {
        self.reason = reason
        self.path = path
        self.file = file
    }
}

extension HARError: LocalizedError {
    /// What is wrong, where, and what to do.
    public var errorDescription: String? {
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
        case .notJSON: return "The HAR file\(name) is not JSON in UTF-8\(place): export it again."
        case .cut: return "The HAR file\(name) ends in the middle: it is cut, export it again."
        case .missingValue: return "The HAR file\(name) lacks what must be\(place)."
        case .wrongType(let expected): return "The HAR file\(name) has no \(expected)\(place)."
        case .invalidValue(let problem): return "The HAR file\(name) is wrong\(place): the value \(problem)."
        }
    }
}

extension HARError {
    /// What a decoder found.
    init(_ error: any Error) {
        guard let error = error as? DecodingError else {
            self.init(.notJSON)
            return
        }
        switch error {
        case .typeMismatch(let type, let context):
            self.init(.wrongType(expected: Self.name(of: type)), path: Self.path(context.codingPath))
        case .valueNotFound(let type, let context):
            self.init(.wrongType(expected: Self.name(of: type)), path: Self.path(context.codingPath))
        case .keyNotFound(let key, let context):
            self.init(.missingValue, path: Self.path(context.codingPath + [key]))
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            self.init(.notJSON)
        case .dataCorrupted(let context):
            self.init(.invalidValue(context.debugDescription), path: Self.path(context.codingPath))
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

    /// `nil` for the whole.
    static func path(_ keys: [any CodingKey]) -> String? {
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
