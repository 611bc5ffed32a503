import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests: the headers, time-outs and rules that they have in common, over one ``HTTPTransport``.
///
/// A provider has a session of its own unless you hand it one. Make one to choose headers, time-outs or the transport:
///
///     let configuration = URLSessionConfiguration.default
///     configuration.headers = .default
///     configuration.timeoutIntervalForRequest = 10
///     let session = Session(configuration: configuration, startRequestsImmediately: false)
///
/// A session that goes leaves its running requests to their end, and then gives back its connections.
// Unchecked because a class that can be inherited from cannot be checked: every property here is constant and Sendable,
// and a subclass answers for its own.
open class Session: @unchecked Sendable {
    /// A session with ``HTTPHeaders/default`` that all can share.
    public static let `default` = Session()

    /// Whether a ``Request`` starts when its response is asked for, or stays until ``Request/resume()``.
    public let startRequestsImmediately: Bool

    private let configuration: URLSessionConfiguration
    private let givenTransport: (any HTTPTransport)?
    private let madeTransport = Locked<(any HTTPTransport)?>(nil)
    private let headers: Result<HTTPFields, RequestValidationError>

    /// Makes a session on the platform's transport.
    ///
    /// The transport is AsyncHTTPClient on Linux (package trait `AsyncHTTPClient`). Where that is off, on Apple's
    /// platforms, and where the configuration asks for what only URLSession does (`protocolClasses` of your own, a
    /// `connectionProxyDictionary`), it is URLSession.
    ///
    /// - Parameters:
    ///   - configuration: Copied. Read are `httpAdditionalHeaders`, `timeoutIntervalForRequest` (how long a request may
    ///     be idle), `timeoutIntervalForResource` (how long it may take in all) and `httpMaximumConnectionsPerHost`; the
    ///     URLSession transport also gets what belongs to URLSession alone.
    ///   - startRequestsImmediately: Whether a ``Request`` starts when its response is asked for.
    public init(
        configuration: URLSessionConfiguration = .withDefaultHeaders,
        startRequestsImmediately: Bool = true
    ) {
        self.configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
        self.startRequestsImmediately = startRequestsImmediately
        givenTransport = nil
        headers = Self.checkedHeaders(of: self.configuration)
    }

    /// Makes a session on a transport of your choice.
    ///
    /// - Parameters:
    ///   - transport: Used and kept, not shut down.
    ///   - configuration: Copied. Read are `httpAdditionalHeaders`, `timeoutIntervalForRequest` and
    ///     `timeoutIntervalForResource`; what concerns the engine is said to the transport.
    ///   - startRequestsImmediately: Whether a ``Request`` starts when its response is asked for.
    public init(
        transport: any HTTPTransport,
        configuration: URLSessionConfiguration = .withDefaultHeaders,
        startRequestsImmediately: Bool = true
    ) {
        self.configuration = configuration.copy() as? URLSessionConfiguration ?? configuration
        self.startRequestsImmediately = startRequestsImmediately
        givenTransport = transport
        headers = Self.checkedHeaders(of: self.configuration)
    }

    /// A copy of the configuration that the session was made with.
    public var sessionConfiguration: URLSessionConfiguration {
        configuration.copy() as? URLSessionConfiguration ?? configuration
    }

    /// The transport, made when it is first needed: a session that only serves stubs opens nothing.
    public var transport: any HTTPTransport {
        if let givenTransport { return givenTransport }
        return madeTransport.withLock { transport in
            if let transport { return transport }
            let made = Self.makeTransport(for: configuration)
            transport = made
            return made
        }
    }

    /// Sends a request and collects the response.
    ///
    /// Any status is a response, 404 and 500 included. Cancelling the task closes the exchange.
    ///
    /// - Parameters:
    ///   - request: The request. Its `timeoutInterval` holds unless it is Foundation's default of 60 seconds, in which
    ///     case the configuration's `timeoutIntervalForRequest` does.
    ///   - progress: Called with each part of the body that arrives, on no particular thread. The object counts bytes;
    ///     its `totalUnitCount` is -1 where the length is not known.
    /// - Throws: `URLError`, or ``RequestValidationError`` before anything is sent, or what `asURLRequest()` throws.
    public func data(
        for request: any URLRequestConvertible,
        progress: (@Sendable (Progress) -> Void)? = nil
    ) async throws -> SessionResponse {
        let urlRequest = try request.asURLRequest()
        let transportRequest = try TransportRequest(
            checking: urlRequest,
            sessionHeaders: headers.get(),
            timeouts: SessionTimeouts(
                request: urlRequest.timeoutInterval,
                idle: configuration.timeoutIntervalForRequest,
                total: configuration.timeoutIntervalForResource
            ),
            // Whoever watches wants each part as it comes.
            responseBufferLimit: progress == nil ? TransportRequest.defaultResponseBufferLimit : 0
        )
        let response = try await transport.send(transportRequest)
        return SessionResponse(
            request: urlRequest,
            statusCode: response.status,
            headers: response.headers,
            data: try await Self.collect(response, progress: progress)
        )
    }

    /// Prepares a request that can be started, cancelled and awaited from different places.
    open func request(_ convertible: any URLRequestConvertible) -> Request {
        Request(convertible, session: self)
    }

    /// The headers that the session adds to a request, by name.
    public var sessionHeaders: [String: String] { configuration.headers.dictionary }

    private static func collect(
        _ response: TransportResponse,
        progress: (@Sendable (Progress) -> Void)?
    ) async throws -> Data {
        var watch = progress.map { BodyProgress(headers: response.headers, report: $0) }
        switch response.body {
        case .complete(let data):
            if !data.isEmpty { watch?.received(data.count) }
            return data
        case .stream(let stream):
            var data = Data()
            for try await chunk in stream {
                data.append(chunk)
                watch?.received(chunk.count)
            }
            return data
        }
    }

    private static func checkedHeaders(
        of configuration: URLSessionConfiguration
    ) -> Result<HTTPFields, RequestValidationError> {
        Result { () throws(RequestValidationError) in try HTTPFields(checking: configuration.headers.dictionary) }
    }

    private static func makeTransport(for configuration: URLSessionConfiguration) -> any HTTPTransport {
        #if AsyncHTTPClient && !canImport(Darwin)
            if !configuration.needsURLSession {
                return AsyncHTTPClientTransport(maximumConnectionsPerHost: configuration.httpMaximumConnectionsPerHost)
            }
        #endif
        return URLSessionTransport(configuration: configuration)
    }
}

/// Counts the bytes of a response's body.
private struct BodyProgress {
    private let total: Int64
    private let report: @Sendable (Progress) -> Void
    private var completed: Int64 = 0

    init(headers: HTTPFields, report: @escaping @Sendable (Progress) -> Void) {
        // The length of a coded body is not that of what arrives here.
        let isCoded = headers[.contentEncoding].map { $0.lowercased() != "identity" } ?? false
        total = isCoded ? -1 : headers[.contentLength].flatMap { Int64($0) } ?? -1
        self.report = report
    }

    mutating func received(_ count: Int) {
        completed += Int64(count)
        // A new object for each report: one that others hold must not change under them.
        let progress = Progress(totalUnitCount: total)
        progress.completedUnitCount = completed
        report(progress)
    }
}

extension URLSessionConfiguration {
    /// Foundation's default configuration with ``HTTPHeaders/default``.
    public static var withDefaultHeaders: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.default
        configuration.headers = .default
        return configuration
    }

    /// Asks for what only URLSession does.
    fileprivate var needsURLSession: Bool {
        let usual = (URLSessionConfiguration.default.protocolClasses ?? []).map { ObjectIdentifier($0) }
        let own = (protocolClasses ?? []).map { ObjectIdentifier($0) }
        return own != usual || !(connectionProxyDictionary ?? [:]).isEmpty
    }
}
