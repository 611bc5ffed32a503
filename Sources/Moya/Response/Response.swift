import Foundation

/// The response to a request: a status code and data, and methods that map them.
public final class Response: CustomDebugStringConvertible, Equatable, Sendable {
    /// The status code.
    public let statusCode: Int
    /// The body; empty if the response has none.
    public let data: Data
    /// The request as adapters and plugins have made it, without the fields that the session adds.
    public let request: URLRequest?

    /// The reason why the body could not be mapped, for the text of an error.
    let mappingProblem: String?

    private let head: Head
    /// Foundation's response to a received response; it is expensive to create, so it is created on demand.
    private let made: InlineLocked<HTTPURLResponse?>

    private enum Head: Sendable {
        case given(HTTPURLResponse?)
        case received(SessionResponse)
    }

    /// Creates a response.
    public init(statusCode: Int, data: Data, request: URLRequest? = nil, response: HTTPURLResponse? = nil) {
        self.statusCode = statusCode
        self.data = data
        self.request = request
        mappingProblem = nil
        head = .given(response)
        made = InlineLocked(nil)
    }

    /// Creates a copy of a response with the reason why its body could not be mapped.
    init(_ other: Response, mappingProblem: String) {
        statusCode = other.statusCode
        data = other.data
        request = other.request
        self.mappingProblem = mappingProblem
        head = other.head
        made = InlineLocked(other.made.withLock { $0 })
    }

    /// Creates a copy of a response with a part of its body, such as an event.
    init(_ other: Response, data: Data) {
        statusCode = other.statusCode
        self.data = data
        request = other.request
        mappingProblem = nil
        head = other.head
        made = InlineLocked(other.made.withLock { $0 })
    }

    init(_ response: SessionResponse) {
        statusCode = response.statusCode
        data = response.data
        request = response.request
        mappingProblem = nil
        head = .received(response)
        made = InlineLocked(nil)
    }

    /// Foundation's response, with URL and headers; `nil` for a stub with only a status code and data.
    public var response: HTTPURLResponse? {
        switch head {
        case .given(let response):
            return response
        case .received(let received):
            if let response = made.withLock({ $0 }) { return response }
            let response = received.makeHTTPURLResponse()
            return made.withLock { made in
                // All callers get the object that was created first.
                if made == nil { made = response }
                return made
            }
        }
    }

    /// The URL of the response, after all redirects; `nil` for a stub without a request.
    var finalURL: URL? {
        switch head {
        case .received(let received): received.url
        case .given(let response): response?.url ?? request?.url
        }
    }

    /// The headers; empty for a stub with only a status code and data.
    ///
    /// Reading them costs less than reading ``response``.
    public var headers: HTTPHeaders {
        switch head {
        case .received(let received): received.combinedHeaders
        case .given(let response): response?.headers ?? HTTPHeaders()
        }
    }

    /// The trailer fields that followed the body (RFC 9110, section 6.5); empty if there are none.
    ///
    /// The trailers of a streamed response are ``StreamingResponse/trailers``. ``NIOTransport`` supplies trailers; URLSession and
    /// AsyncHTTPClient do not. Caches and HAR files do not store them.
    public var trailers: HTTPHeaders {
        switch head {
        case .received(let received): received.trailers.combined
        case .given: HTTPHeaders()
        }
    }

    /// The source of the response: the network, the session's cache, or a sample in place of a failed request.
    public var source: ResponseSource {
        switch head {
        case .received(let received): received.source
        case .given: .network
        }
    }

    /// The file that a download has written; `nil` for other responses, and for stubs, which write no file.
    ///
    ///     let file = try await provider.request(.report).downloadedFile
    public var downloadedFile: URL? {
        switch head {
        case .received(let received): received.file
        case .given: nil
        }
    }

    /// The number of further requests that continued a download.
    var continuationCount: Int {
        switch head {
        case .received(let received): received.continuationCount
        case .given: 0
        }
    }

    /// The version of HTTP, the reason phrase and the addresses of the connection.
    ///
    ///     print(response.info?.httpVersion ?? "unknown")
    ///
    /// It is `nil` for a stub, for a response from the cache, even if a server has validated it, and for a transport that knows
    /// none of these facts, such as URLSession on Linux.
    public var info: ResponseInfo? {
        switch head {
        case .received(let received): received.info
        case .given: nil
        }
    }

    /// The metrics of the request: its duration, and the times, the connection and the sizes of each exchange.
    ///
    ///     let session = Session(options: SessionOptions(collectsMetrics: true))
    ///     let response = try await MoyaProvider<GitHub>(session: session).request(.zen)
    ///     print(response.metrics?.lastExchange?.timings.wait ?? .zero)
    ///
    /// It is `nil` for a stub, and if nobody asked for metrics before the request.
    public var metrics: RequestMetrics? {
        switch head {
        case .received(let received): received.metrics
        case .given: nil
        }
    }

    /// The text `Status Code: N, Data Length: M`.
    public var description: String { "Status Code: \(statusCode), Data Length: \(data.count)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Returns whether status, data and Foundation's response are equal; the requests are not compared.
    public static func == (lhs: Response, rhs: Response) -> Bool {
        guard lhs.statusCode == rhs.statusCode, lhs.data == rhs.data else { return false }
        return switch (lhs.response, rhs.response) {
        case (nil, nil): true
        case (let left?, let right?): left === right || left.isSame(as: right)
        default: false
        }
    }
}

extension HTTPURLResponse {
    /// Compares URL, status and headers; Foundation's own comparison ignores the latter two on Linux.
    fileprivate func isSame(as other: HTTPURLResponse) -> Bool {
        url == other.url && statusCode == other.statusCode && Set(headers) == Set(other.headers)
    }
}
