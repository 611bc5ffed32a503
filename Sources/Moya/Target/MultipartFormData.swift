import Foundation

/// A multipart form for uploads (`multipart/form-data`, RFC 7578).
///
///     HTTPTask.uploadMultipartFormData([
///         MultipartFormBodyPart(provider: .data(Data("Ash".utf8)), name: "name"),
///         MultipartFormBodyPart(provider: .file(photo), name: "photo"),
///     ])
///
/// The parts are read while they are sent, so a form can be larger than the memory.
public struct MultipartFormData: Hashable, @unchecked Sendable {
    // Unchecked only because of the file manager, which is kept for compatibility and never used.

    /// The source of a part's content.
    public enum FormDataProvider: Hashable, @unchecked Sendable {
        // Unchecked because of the input stream: it belongs to the part and is read from one place.

        /// Data in memory.
        case data(Foundation.Data)
        /// A file.
        case file(URL)
        /// A stream with its length in bytes, which can be read once.
        case stream(InputStream, UInt64)
    }

    /// Unused; kept for the compatibility with Moya 15.
    public let fileManager: FileManager
    /// The boundary between the parts (RFC 2046, section 5.1.1); `nil` for a new one for each request.
    public let boundary: String?
    /// The parts, in the order in which they are sent.
    public let parts: [MultipartFormBodyPart]

    /// Creates a form.
    public init(fileManager: FileManager = .default, boundary: String? = nil, parts: [MultipartFormBodyPart]) {
        self.fileManager = fileManager
        self.boundary = boundary
        self.parts = parts
    }
}

extension MultipartFormData {
    /// Returns whether boundary and parts are equal.
    public static func == (lhs: MultipartFormData, rhs: MultipartFormData) -> Bool {
        lhs.boundary == rhs.boundary && lhs.parts == rhs.parts
    }

    /// Hashes boundary and parts.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(boundary)
        hasher.combine(parts)
    }
}

extension MultipartFormData: ExpressibleByArrayLiteral {
    /// Creates a form of parts.
    public init(arrayLiteral elements: MultipartFormBodyPart...) {
        self.init(parts: elements)
    }
}
