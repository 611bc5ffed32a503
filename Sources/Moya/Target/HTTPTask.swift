import Foundation

/// What a request sends, and where its answer goes.
@preconcurrency
public enum HTTPTask: Sendable {
    /// Nothing but the method, the URL and the headers.
    case requestPlain

    /// A body as it is, with no content type of its own.
    case requestData(Data)

    /// A value as JSON, with `Content-Type: application/json` unless the target has one.
    @preconcurrency
    case requestJSONEncodable(any Encodable & Sendable)

    /// A value as JSON, encoded as the encoder is set up.
    @preconcurrency
    case requestCustomJSONEncodable(any Encodable & Sendable, encoder: JSONEncoder)

    /// Parameters, where the encoding puts them.
    @preconcurrency
    case requestParameters(parameters: [String: any Sendable], encoding: any ParameterEncoding)

    /// A body as it is, and parameters in the URL's query.
    @preconcurrency
    case requestCompositeData(bodyData: Data, urlParameters: [String: any Sendable])

    /// Parameters in the body, and others in the URL's query. A ``URLEncoding`` for the body must be
    /// ``URLEncoding/httpBody``.
    @preconcurrency
    case requestCompositeParameters(
        bodyParameters: [String: any Sendable],
        bodyEncoding: any ParameterEncoding,
        urlParameters: [String: any Sendable]
    )

    /// A file as the body, streamed, with no content type of its own.
    case uploadFile(URL)

    /// A form of several parts (RFC 7578), streamed.
    case uploadMultipartFormData(MultipartFormData)

    /// A form of several parts (RFC 7578), streamed.
    @available(*, deprecated, message: "Use uploadMultipartFormData(_:), which also takes an array literal of parts.")
    case uploadMultipart([MultipartFormBodyPart])

    /// A form of several parts, and parameters in the URL's query.
    @preconcurrency
    case uploadCompositeMultipartFormData(MultipartFormData, urlParameters: [String: any Sendable])

    /// A form of several parts, and parameters in the URL's query.
    @available(*, deprecated, message: "Use uploadCompositeMultipartFormData(_:urlParameters:).")
    @preconcurrency
    case uploadCompositeMultipart([MultipartFormBodyPart], urlParameters: [String: any Sendable])

    /// Nothing is sent; the answer's body goes into a file.
    case downloadDestination(DownloadDestination)

    /// Parameters, where the encoding puts them; the answer's body goes into a file.
    @preconcurrency
    case downloadParameters(
        parameters: [String: any Sendable],
        encoding: any ParameterEncoding,
        destination: DownloadDestination
    )
}

/// The name that ``HTTPTask`` had before Swift's own `Task`. From Swift 6 on, `Task` is Swift's.
@available(swift, obsoleted: 6.0, renamed: "HTTPTask")
public typealias Task = HTTPTask
