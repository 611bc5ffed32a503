import Foundation

/// One part of a multipart form (`multipart/form-data`, RFC 7578).
///
///     HTTPTask.uploadMultipart([
///         MultipartFormData(provider: .data(Data("Ash".utf8)), name: "name"),
///         MultipartFormData(provider: .file(photo), name: "photo"),
///     ])
///
/// The parts are read while they are sent, so a form can be larger than the memory.
public struct MultipartFormData: Hashable, Sendable {
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

    /// The source of the content.
    public let provider: FormDataProvider
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
    ///   - fileName: The file name that is sent. For a ``FormDataProvider/file(_:)`` it is used only together with
    ///     `mimeType`; without both, both are taken from the file's URL.
    ///   - mimeType: The content type that is sent.
    public init(provider: FormDataProvider, name: String, fileName: String? = nil, mimeType: String? = nil) {
        self.provider = provider
        self.name = name
        self.fileName = fileName
        self.mimeType = mimeType
    }
}

extension MultipartFormData.FormDataProvider {
    /// Creates a provider from any body, such as an async sequence.
    ///
    /// Applications switch over the cases, so an additional case would break them. This is a
    /// ``MultipartFormData/FormDataProvider/stream(_:_:)`` whose stream carries the body and has no bytes itself.
    public static func body(_ body: HTTPBody) -> Self { .stream(BodyCarrier(body), 0) }

    /// The body that the stream carries, if any.
    var carriedBody: HTTPBody? {
        guard case .stream(let carrier as BodyCarrier, _) = self else { return nil }
        return carrier.body
    }
}

/// A stream that carries a body; two carriers are equal if their bodies are equal.
private final class BodyCarrier: InputStream {
    let body: HTTPBody

    init(_ body: HTTPBody) {
        self.body = body
        super.init(data: Data())
    }

    override func isEqual(_ object: Any?) -> Bool { (object as? BodyCarrier)?.body == body }

    override var hash: Int { body.hashValue }
}

extension Method {
    /// Whether a multipart form may be sent with this method: POST, PUT, PATCH and CONNECT.
    public var supportsMultipart: Bool {
        switch self {
        case .post, .put, .patch, .connect: true
        default: false
        }
    }
}
