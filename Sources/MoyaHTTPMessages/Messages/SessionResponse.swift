import Foundation
import HTTPTypes

/// The response of a session to one request.
public struct SessionResponse: Sendable {
    /// The request as adapters and plugins have made it, before any redirect, without the fields that the session adds.
    public let request: URLRequest
    /// The URL of the response: the URL of the request or, after redirects, of the last redirect.
    public let url: URL?
    /// The status code.
    public let statusCode: Int
    /// The headers, in the order received.
    public var headers: HTTPFields { fields.fields }
    /// The body; empty if there is none.
    public let data: Data
    /// The trailer fields that followed the body (RFC 9110, section 6.5); empty if there are none.
    ///
    /// The trailers of a streamed body are in ``TransportBodyStream/trailers``. ``NIOTransport`` supplies trailers, URLSession and
    /// AsyncHTTPClient do not, and a cache does not store them. Fields that may not be in trailers (section 6.5.1) are left
    /// out: those for framing, routing, authentication, cookies, caching, and the coding and type of the content.
    public let trailers: HTTPFields
    /// The source of the response: the server, the cache or a sample.
    public let source: ResponseSource
    /// The version of HTTP, the reason phrase and the addresses of the connection.
    ///
    /// It is `nil` for a response from the cache, even if a server has validated it, for a stub, and if the transport knows none of
    /// these facts.
    public let info: ResponseInfo?
    /// The metrics of the request: its duration and its exchanges; `nil` if nobody asked for them before the request.
    ///
    /// ``SessionOptions/collectsMetrics`` asks for them, and so do event monitors with such an ``EventMonitor/detail``. They are created
    /// each time they are read. Those of a streamed response are complete when the body has been read.
    public var metrics: RequestMetrics? { metricsSource?.metrics }
    /// The recorder of the ``metrics``; `nil` if nobody asked for them.
    package var metricsSource: (any RequestMetricsSource)?
    /// The headers, in the form in which the transport has received them.
    package let fields: ResponseFields
    /// The file that a download has written; `nil` for other responses.
    public package(set) var file: URL?
    /// The number of further requests that continued a download.
    package var continuationCount = 0

    /// Creates a response; without a `url`, it has the request's URL.
    public init(
        request: URLRequest,
        url: URL? = nil,
        statusCode: Int,
        headers: HTTPFields = [:],
        data: Data = Data(),
        trailers: HTTPFields = [:],
        source: ResponseSource = .network,
        info: ResponseInfo? = nil
    ) {
        self.init(
            request: request,
            url: url,
            statusCode: statusCode,
            fields: ResponseFields(headers),
            data: data,
            trailers: trailers,
            source: source,
            info: info
        )
    }

    /// Creates a response with fields that may not have been read; without a `url`, it has the request's URL.
    package init(
        request: URLRequest,
        url: URL?,
        statusCode: Int,
        fields: ResponseFields,
        data: Data,
        trailers: HTTPFields,
        source: ResponseSource,
        info: ResponseInfo?
    ) {
        self.request = request
        self.url = url ?? request.url
        self.statusCode = statusCode
        self.fields = fields
        self.data = data
        self.trailers = trailers
        self.source = source
        self.info = info
    }

    /// Creates Foundation's form of the status and headers.
    ///
    /// The creation is expensive, so it is not done in advance. On Linux the object's `suggestedFilename` is the name that
    /// ``DownloadRequest/suggestedDownloadDestination(in:options:)`` uses, in place of Foundation's name, which is always "Unknown".
    /// Headers that occur several times are joined by a comma (RFC 9110, section 5.3). Values are decoded as UTF-8, or as
    /// ISO 8859-1 if they are not valid UTF-8.
    public func makeHTTPURLResponse() -> HTTPURLResponse? {
        guard let url else { return nil }
        return NamedHTTPURLResponse(
            url: url,
            statusCode: statusCode,
            httpVersion: info?.httpVersion ?? "HTTP/1.1",
            headerFields: combinedHeaders.dictionary
        )
    }

    /// The headers, with those that occur several times joined by a comma (RFC 9110, section 5.3).
    package var combinedHeaders: HTTPHeaders { headers.combined }
}

extension HTTPFields {
    /// The fields as text (``HTTPField/text``), with those that occur several times joined by a comma (RFC 9110, section
    /// 5.3).
    package var combined: HTTPHeaders {
        var names: [String] = []
        var spellings: [String: String] = [:]
        var values: [String: String] = [:]
        for field in self {
            let name = field.name.canonicalName
            if let value = values[name] {
                values[name] = "\(value), \(field.text)"
            } else {
                names.append(name)
                spellings[name] = field.name.rawName
                values[name] = field.text
            }
        }
        return HTTPHeaders(names.map { HTTPHeader(name: spellings[$0] ?? $0, value: values[$0] ?? "") })
    }
}

#if canImport(FoundationNetworking)
/// A response with a suggested file name, which Foundation on Linux does not determine.
// The conformance is unchecked because HTTPURLResponse is not final. That class is immutable, and this one adds no state.
private final class NamedHTTPURLResponse: HTTPURLResponse, @unchecked Sendable {
    override var suggestedFilename: String? { ServerFileName.suggested(by: self) }
}
#else
private typealias NamedHTTPURLResponse = HTTPURLResponse
#endif
