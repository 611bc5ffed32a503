import Foundation
import HTTPTypes

/// The response of a server.
public struct TransportResponse: Sendable {
    /// The status code (RFC 9110, section 15).
    public var status: Int
    /// The headers in the order received.
    ///
    /// `NIOTransport` creates them when they are first read.
    public var headers: HTTPFields {
        get { fields.fields }
        set { fields = ResponseFields(newValue) }
    }
    /// The body.
    public var body: TransportBody {
        didSet { (tag, rest, isSaved) = (nil, nil, false) }
    }
    /// The trailer fields that followed the body (RFC 9110, section 6.5), if it is complete.
    ///
    /// If the body is a stream, ``TransportBodyStream/trailers`` has them.
    public var trailers: HTTPFields
    /// The version of HTTP, the reason phrase and the addresses of the connection; `nil` if the transport knows none of them, and
    /// for a stored response, even if the server has confirmed or completed it.
    public var info: ResponseInfo?
    /// Whether the content codings that `Content-Encoding` names have been removed from the body (RFC 9110, section 8.4).
    ///
    /// A transport that does not decode bodies sets it to false, and the session decodes them.
    public var isDecoded = true
    /// Whether the server has agreed to ``TransportRequest/upgrade``, so that ``body`` is a stream of the other protocol's bytes.
    ///
    /// The transport sets it. Releasing the stream closes the connection, or resets the stream over HTTP/2.
    public var isUpgraded = false
    /// The headers, in the form in which the transport has received them.
    package var fields: ResponseFields
    /// Whether the connection can be used again after the body, as far as the transport knows.
    package var isConnectionReusable = true
    /// The request whose pipeline has read this body into memory or a file, or passes it to the caller.
    package var tag: RequestTag?
    /// The rest of the body, if a download may request it.
    package var rest: RestOfBody?
    /// Whether the body is in the file of a download, and can't be read from here.
    package var isSaved = false
    /// The source of the response: the network, a cache or a sample.
    public package(set) var source = ResponseSource.network
    /// The time at which the session has passed the request to its transport; `nil` for a response that no transport has returned.
    package var sendTime: MonotonicTime?
    /// Whether the `Set-Cookie` fields come from the server, and not from a stored response.
    package var setsCookies = true

    /// Creates a response.
    public init(
        status: Int,
        headers: HTTPFields = [:],
        body: TransportBody = .complete(Data()),
        trailers: HTTPFields = [:]
    ) {
        self.init(status: status, fields: ResponseFields(headers), body: body, trailers: trailers)
    }

    /// Creates a response with fields that may not have been read.
    package init(status: Int, fields: ResponseFields, body: TransportBody, trailers: HTTPFields) {
        self.status = status
        self.fields = fields
        self.body = body
        self.trailers = trailers
    }
}

/// A tag that identifies the responses of one request.
package final class RequestTag: Sendable {
    package init() {}
}

/// The body of a response, complete or as a stream.
public enum TransportBody: Sendable {
    /// The whole body.
    case complete(Data)
    /// The body as a stream.
    case stream(TransportBodyStream)
}

extension TransportResponse {
    /// The body if it is in memory, and otherwise no bytes.
    package var bodyInMemory: Data { if case .complete(let data) = body { data } else { Data() } }

    /// The number of bytes of the body after decoding, if it is known.
    package var knownLength: Int64? {
        if case .complete(let data) = body { return Int64(data.count) }
        // The declared length of a coded body is not the length after decoding.
        if fields.contains(.contentEncoding), headers.isCoded { return nil }
        return headers[.contentLength].flatMap { Int64($0) }
    }
}
