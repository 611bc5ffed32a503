import Foundation

/// The content of a request, and the place where its response's body is stored.
///
/// It has the twelve cases of Moya 15. Tasks of other kinds, such as ``uploadBody(_:contentType:)``, are
/// ``requestParameters(parameters:encoding:)`` with an internal encoding.
@preconcurrency
public enum HTTPTask: Sendable {
    /// Sends only the method, the URL and the headers.
    case requestPlain

    /// Sends a body without adding a content type.
    case requestData(Data)

    /// Sends a value as JSON, with `Content-Type: application/json` unless the target has a content type.
    @preconcurrency
    case requestJSONEncodable(any Encodable & Sendable)

    /// Sends a value as JSON with a custom encoder.
    @preconcurrency
    case requestCustomJSONEncodable(any Encodable & Sendable, encoder: JSONEncoder)

    /// Sends parameters, which the encoding writes into the query or the body.
    @preconcurrency
    case requestParameters(parameters: [String: any Sendable], encoding: any ParameterEncoding)

    /// Sends a body without adding a content type, and parameters in the URL's query.
    @preconcurrency
    case requestCompositeData(bodyData: Data, urlParameters: [String: any Sendable])

    /// Sends parameters in the body, and others in the URL's query.
    ///
    /// A ``URLEncoding`` for the body must be ``URLEncoding/httpBody``.
    @preconcurrency
    case requestCompositeParameters(
        bodyParameters: [String: any Sendable],
        bodyEncoding: any ParameterEncoding,
        urlParameters: [String: any Sendable]
    )

    /// Streams a file as the body without adding a content type.
    case uploadFile(URL)

    /// Streams a multipart form of these parts (RFC 7578).
    case uploadMultipart([MultipartFormData])

    /// Streams a multipart form of these parts, with parameters in the URL's query.
    @preconcurrency
    case uploadCompositeMultipart([MultipartFormData], urlParameters: [String: any Sendable])

    /// Sends no body, and writes the response's body to a file.
    case downloadDestination(DownloadDestination)

    /// Sends parameters, and writes the response's body to a file.
    @preconcurrency
    case downloadParameters(
        parameters: [String: any Sendable],
        encoding: any ParameterEncoding,
        destination: DownloadDestination
    )
}

/// The name of ``HTTPTask`` before Swift 6 mode, where `Task` is Swift's own type.
@available(swift, obsoleted: 6.0, renamed: "HTTPTask")
public typealias Task = HTTPTask
