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

/// One part of a ``MultipartFormData``.
public struct MultipartFormBodyPart: Hashable, Sendable {
    /// The source of the content.
    public let provider: MultipartFormData.FormDataProvider
    /// The name of the form's field.
    public let name: String
    /// The file name that is sent.
    public let fileName: String?
    /// The content type that is sent.
    public let mimeType: String?

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - provider: The source of the content.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name that is sent. For a ``MultipartFormData/FormDataProvider/file(_:)`` it is used
    ///     only together with `mimeType`; without both, both are taken from the file's URL.
    ///   - mimeType: The content type that is sent.
    public init(
        provider: MultipartFormData.FormDataProvider,
        name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) {
        self.provider = provider
        self.name = name
        self.fileName = fileName
        self.mimeType = mimeType
    }
}

extension MultipartFormData.FormDataProvider {
    /// Creates a provider from any body, such as an async sequence.
    ///
    /// Applications switch over the cases, so that an additional one would break them. This is a
    /// ``MultipartFormData/FormDataProvider/stream(_:_:)`` whose stream carries the body and has no bytes itself.
    public static func body(_ body: HTTPBody) -> Self { .stream(BodyCarrier(body), 0) }

    /// The body that the stream carries, if any.
    var carriedBody: HTTPBody? {
        guard case .stream(let carrier as BodyCarrier, _) = self else { return nil }
        return carrier.body
    }
}

/// A stream that carries a body, by which it is compared.
private final class BodyCarrier: InputStream {
    let body: HTTPBody

    init(_ body: HTTPBody) {
        self.body = body
        super.init(data: Data())
    }

    override func isEqual(_ object: Any?) -> Bool { (object as? BodyCarrier)?.body == body }

    override var hash: Int { body.hashValue }
}
