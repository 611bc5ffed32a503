import Foundation

/// A form of several parts, to be uploaded (`multipart/form-data`, RFC 7578).
///
///     HTTPTask.uploadMultipartFormData([
///         MultipartFormBodyPart(provider: .data(Data("Ash".utf8)), name: "name"),
///         MultipartFormBodyPart(provider: .file(photo), name: "photo"),
///     ])
///
/// The parts are read when they are sent, piece by piece, so a form can be larger than the memory.
public struct MultipartFormData: Hashable, @unchecked Sendable {
    // Unchecked for the file manager alone, which is here because the original has it: nothing is asked of it.

    /// Where the content of a part comes from.
    public enum FormDataProvider: Hashable, @unchecked Sendable {
        // Unchecked for the input stream: once given it is the part's, and is read from one place.

        /// From memory.
        case data(Foundation.Data)
        /// From a file.
        case file(URL)
        /// From a stream that gives so many bytes, and can be read once.
        case stream(InputStream, UInt64)
    }

    /// Not used: files are read as they are sent. It is here because code that was written for Moya 15 names it.
    public let fileManager: FileManager
    /// What separates the parts (RFC 2046, section 5.1.1); `nil` for one that is made anew with each request.
    public let boundary: String?
    /// The parts, in the order in which they are sent.
    public let parts: [MultipartFormBodyPart]

    /// Makes a form.
    public init(fileManager: FileManager = .default, boundary: String? = nil, parts: [MultipartFormBodyPart]) {
        self.fileManager = fileManager
        self.boundary = boundary
        self.parts = parts
    }
}

extension MultipartFormData {
    /// Whether boundary and parts are equal.
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
    /// Makes a form of parts.
    public init(arrayLiteral elements: MultipartFormBodyPart...) {
        self.init(parts: elements)
    }
}
