import Foundation
import HTTPTypes
import MoyaWebSockets

/// A transport that uses Foundation's URLSession.
///
/// It is the default on Apple platforms, and if the package trait `NIO` is off. Redirects, cookies,
/// cached responses and stored credentials are disabled here, since they are tasks of the ``Session``.
///
/// URLSession cannot send a GET with a body: such a request fails with
/// ``RequestValidationError/bodyNotAllowed(method:)``. On Linux it sends streamed bodies in chunks even if their
/// length is known, and does not support async sequences (``RequestValidationError/bodySequenceNotSupported``).
///
/// Properties of the original `URLRequest` that are not part of HTTP are supported if the platform has them:
/// `allowsCellularAccess`, `allowsExpensiveNetworkAccess`, `allowsConstrainedNetworkAccess`, `networkServiceType`,
/// `assumesHTTP3Capable`, `requiresDNSSECValidation` and others.
///
/// On Apple platforms, URLSession reads a body that is a single file itself, so that changes of the file during the
/// upload may not be detected. A streamed body that is repeatable is read again if URLSession sends the request
/// again. While a task waits for connectivity (`waitsForConnectivity`), its idle timeout is paused.
///
/// Errors keep URLSession's localized text and information. A task that the system cancels without a request to do so fails with
/// `URLError.networkConnectionLost`, so that it can be retried. WebSockets are tasks of URLSession, which passes whole messages; there are
/// no other upgrades (``RequestValidationError/upgradeNotSupported``). URLSession may hold back the first 512 bytes of a response, and
/// its head, to detect the type of the content; it does not hold back `application/json`.
///
/// On Linux before Swift 6.4, all requests fail unless ``acceptsTermination`` is true, since a server can end the process.
///
/// A background configuration is rejected with a ``TransportConfigurationError``, since URLSession does not support
/// data tasks in the background.
public final class URLSessionTransport: HTTPTransport, TimedTransport {
    let session: URLSession
    let delegate: Delegate
    private let isShutDown = Locked(false)
    let runningRequests = RunningRequests()
    /// The error of all requests, if the configuration is not supported.
    private let refusal: TransportConfigurationError?

    /// Whether requests are sent although a response can end the process; false by default.
    ///
    /// On Linux before Swift 6.4, URLSession ends the process if a server closes the connection within the head of a response,
    /// or sends trailers. Requests therefore fail there with ``TransportConfigurationError/unsafe(transport:reason:)``. An
    /// application that trusts all its servers sets the property at launch. On other platforms and with Swift 6.4 it has no
    /// effect. Requests that a `URLProtocol` of the configuration handles are always sent.
    public static var acceptsTermination: Bool {
        get { FoundationDefect.isAccepted.withLock { $0 } }
        set { FoundationDefect.isAccepted.withLock { $0 = newValue } }
    }

    /// Creates a transport with its own URLSession, which is invalidated on deinitialization.
    ///
    /// With a background configuration, each request fails with a ``TransportConfigurationError``.
    ///
    /// - Parameter configuration: A configuration, of which a copy is used. In the copy, cookie storage, cache and
    ///   credential storage are removed, since the session handles these, and timeouts are set for each request.
    public init(configuration: URLSessionConfiguration = .default) {
        refusal = Self.refusal(of: configuration)
        let original = refusal == nil ? configuration : .ephemeral
        let own = Self.ownCopy(of: original)
        delegate = Delegate(URLSessionSettings(of: original, writingTo: own), isShutDown)
        session = URLSession(configuration: own, delegate: delegate, delegateQueue: nil)
    }

    /// Creates a transport with its own URLSession and connection settings.
    ///
    /// URLSession does not support all settings, and on Linux only
    /// ``TransportConfiguration/maximumConnectionsPerHost``.
    ///
    /// - Parameters:
    ///   - configuration: A configuration, of which a copy is modified as in ``init(configuration:)`` and by
    ///     `connection`.
    ///   - connection: The settings of the connections.
    /// - Throws: ``TransportConfigurationError`` for unsupported settings.
    public init(
        configuration: URLSessionConfiguration = .default,
        connection: TransportConfiguration
    ) throws(TransportConfigurationError) {
        if let refusal = Self.refusal(of: configuration) { throw refusal }
        refusal = nil
        let own = Self.ownCopy(of: configuration)
        delegate = Delegate(try URLSessionSettings(connection, of: configuration, writingTo: own), isShutDown)
        session = URLSession(configuration: own, delegate: delegate, delegateQueue: nil)
    }

    private static func refusal(of configuration: URLSessionConfiguration) -> TransportConfigurationError? {
        guard configuration.identifier != nil else { return nil }
        return .unsupported(
            .sessionConfiguration,
            transport: "URLSessionTransport",
            reason: "URLSession runs no data tasks in the background. Use a default or ephemeral configuration."
        )
    }

    private static func ownCopy(of configuration: URLSessionConfiguration) -> URLSessionConfiguration {
        let own = configuration.copy() as? URLSessionConfiguration ?? configuration
        own.httpCookieStorage = nil
        own.httpShouldSetCookies = false
        own.urlCache = nil
        own.urlCredentialStorage = nil
        own.httpAdditionalHeaders = nil
        own.requestCachePolicy = .reloadIgnoringLocalCacheData
        own.timeoutIntervalForRequest = Self.never
        own.timeoutIntervalForResource = Self.never
        return own
    }

    /// A timeout in seconds (one week) with which URLSession does not time out before the exchange does.
    static let never: TimeInterval = 7 * 24 * 3600

    /// Performs one exchange.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: `URLError`; ``RequestBodyError``; ``RequestValidationError`` for a GET or TRACE with a body, for a body with
    ///   trailers, for an upgrade to a protocol other than WebSockets, and on Linux for a body that is an async sequence; or
    ///   ``TransportConfigurationError`` for a background configuration, and on Linux before Swift 6.4 unless ``acceptsTermination``
    ///   is true.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        if let refusal { throw refusal }
        try request.method.validate()
        if request.body != nil, request.method == .get || request.method == .trace {
            throw RequestValidationError.bodyNotAllowed(method: request.method.rawValue)
        }
        if request.body?.hasTrailers == true { throw RequestValidationError.trailersNotSupported }
        if let upgrade = request.upgrade { return try await openWebSocket(request, upgrade) }
        let exchange = Exchange(request)
        var urlRequest = URLRequest(request, timeout: Self.never)
        try refuseIfUnsafe(urlRequest)
        var parts = Parts()
        if let (body, observer) = request.body?.observingSentBytes {
            var length: Int64?
            switch URLSessionBody(body) {
            case .data(let data):
                urlRequest.httpBody = data
                length = Int64(data.count)
            case .file(let url):
                // Checks the file, with more specific errors than those of URLSession.
                length = try await body.openWithoutBlocking().length
                parts.file = url
            case .stream:
                let upload = URLSessionUpload(body) { exchange.bodyFailed($0) }
                let stream: InputStream
                let lengths = body.hasFiles ? try await body.checkFiles() : nil
                (stream, length) = try upload.firstStream(with: lengths)
                urlRequest.httpBodyStream = stream
                if let length, URLSessionBody.canDeclareLengths {
                    urlRequest.setValue(String(length), forHTTPHeaderField: "Content-Length")
                }
                parts.upload = upload
            }
            parts.length = length
            parts.progress = observer.map { HTTPBody.SentProgress($0, length: length) }
        }
        try runningRequests.begin(for: exchange.url)
        defer { runningRequests.ended() }
        var response = try await exchange.perform { start(exchange, of: request, as: urlRequest, with: parts) }
        runningRequests.countBody(of: response, exchange)
        response.isDecoded = URLSessionCodings().decode(
            response.headers[values: .contentEncoding],
            acceptEncoding: urlRequest.value(forHTTPHeaderField: "Accept-Encoding")
        )
        return response.isDecoded ? try response.limited(by: request.decodingLimits, url: request.url) : response
    }

    /// Throws if a response to the request can end the process, and the application has not accepted this.
    func refuseIfUnsafe(_ urlRequest: URLRequest) throws {
        guard FoundationDefect.isPresent, !Self.acceptsTermination else { return }
        let protocols = session.configuration.protocolClasses
        if let refusal = FoundationDefect.refusal(of: urlRequest, handledBy: protocols) { throw refusal }
    }

    /// The parts of a task that are not in its request.
    private struct Parts {
        /// The length of the body; `nil` if it is unknown.
        var length: Int64? = 0
        var upload: URLSessionUpload?
        var progress: HTTPBody.SentProgress?
        /// The file to send.
        var file: URL?
    }

    /// Starts the task of an exchange.
    private func start(
        _ exchange: Exchange,
        of request: TransportRequest,
        as urlRequest: URLRequest,
        with parts: Parts
    ) {
        let made: URLSessionDataTask? = makeTask { session in
            if let file = parts.file { return session.uploadTask(with: urlRequest, fromFile: file) }
            return session.dataTask(with: urlRequest)
        }
        guard let task = made else { return exchange.failed(.refusedAfterShutdown(url: request.url)) }
        let cancel: @Sendable () -> Void = { [queue = session.delegateQueue] in
            Self.cancel(on: queue) { task.cancel() }
        }
        delegate.tasks.add(
            URLSessionExchange(
                exchange,
                request,
                flow: URLSessionFlowControl(suspend: { task.suspend() }, resume: { task.resume() }),
                bodyLength: parts.length,
                upload: parts.upload,
                progress: parts.progress,
                cancelTask: cancel
            ),
            task: task.taskIdentifier
        )
        task.resume()
        exchange.setCarrier(
            Exchange.Carrier(stop: { _ in cancel() }, schedule: Exchange.Carrier.scheduleByTask)
        )
        parts.upload?.start()
        if parts.length == 0 { exchange.beginWaitForResponse() }
    }

    /// Creates a task, unless the transport is shut down.
    func makeTask<Task: URLSessionTask>(_ make: (URLSession) -> Task) -> Task? {
        // Under the lock, since on Linux creating a task of an invalidated session crashes.
        isShutDown.withLock { isShutDown in isShutDown ? nil : make(session) }
    }

    /// Calls a closure that cancels a task, on the queue where that is safe.
    static func cancel(on delegateQueue: OperationQueue, _ cancelTask: @escaping @Sendable () -> Void) {
        #if canImport(Darwin)
        cancelTask()
        #else
        // On Linux, a task that ends on this queue while it is cancelled on another one ends the process.
        delegateQueue.addOperation(cancelTask)
        #endif
    }

    /// The phase of the transport and the number of its exchanges; the connections are not known.
    public var status: TransportStatus? { runningRequests.transportStatus() }

    /// Invalidates the URLSession and cancels running requests.
    ///
    /// Later requests fail with a `URLError` for which `isShutdown` is true.
    public func shutdown() async {
        runningRequests.close()
        isShutDown.withLock { $0 = true }
        #if canImport(Darwin)
        session.invalidateAndCancel()
        #else
        await withCheckedContinuation { invalidated in
            // On this queue for the same reason as in `cancel`.
            session.delegateQueue.addOperation { [session] in
                session.invalidateAndCancel()
                invalidated.resume()
            }
        }
        #endif
    }

    /// Refuses new requests, waits for the end of running ones, and then invalidates the URLSession.
    ///
    /// - Parameter grace: The maximum time to wait, after which running requests are cancelled.
    /// - Returns: The number of requests that have ended by themselves, and of those that were cancelled.
    @discardableResult
    public func shutdown(grace: Duration) async -> ShutdownResult {
        let result = await runningRequests.drain(atMost: grace)
        await shutdown()
        return result
    }

    deinit { session.finishTasksAndInvalidate() }

    /// The delegate, which passes the callbacks of URLSession to the exchange of their task.
    final class Delegate: NSObject, URLSessionDataDelegate, URLSessionWebSocketDelegate, Sendable {
        let tasks = URLSessionTasks()
        private let settings: URLSessionSettings
        private let isShutDown: Locked<Bool>

        init(_ settings: URLSessionSettings, _ isShutDown: Locked<Bool>) {
            self.settings = settings
            self.isShutDown = isShutDown
        }

        // MARK: Challenges

        #if canImport(Security)
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let number = task.taskIdentifier
            let exchange = tasks.exchange(of: number)
            URLSessionTrust.respond(
                to: challenge,
                settings,
                users: exchange?.proxyUsers ?? ProxyUsers(),
                url: exchange?.exchange.url
            ) { [tasks] disposition in
                switch disposition {
                case .performDefaultHandling: completionHandler(.performDefaultHandling, nil)
                case .rejectProtectionSpace: completionHandler(.rejectProtectionSpace, nil)
                case .use(let credential): completionHandler(.useCredential, credential)
                case .refuse(let error):
                    if let error { tasks.refused(error, task: number) }
                    completionHandler(.cancelAuthenticationChallenge, nil)
                }
            }
        }
        #endif

        #if !canImport(Darwin)
        // On Linux, a task waits indefinitely for the response to a challenge without a credential
        // (swift-corelibs-foundation, issue 5456). The whole response has been received at this point.
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceive challenge: URLAuthenticationChallenge,
            completionHandler:
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            tasks.completed(head: task.response.map { ResponseHead($0) }, task: task.taskIdentifier)
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
        #endif

        // MARK: Request

        #if canImport(Darwin)
        func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
            tasks.pauseForConnectivity(task: task.taskIdentifier)
        }
        #endif

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            completionHandler(tasks.nextBodyStream(task: task.taskIdentifier))
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didSendBodyData bytesSent: Int64,
            totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) {
            tasks.didSendBody(total: totalBytesSent, task: task.taskIdentifier)
        }

        // MARK: Response

        // Foundation on Linux has these types and functions in part, and calls neither.
        #if canImport(Darwin)
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didReceiveInformationalResponse response: HTTPURLResponse
        ) {
            tasks.receivedInterim(ResponseHead(response), task: task.taskIdentifier)
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            guard let transaction = metrics.transactionMetrics.last else { return }
            tasks.collected(
                URLSessionConnectionFacts(transaction),
                URLSessionTimes(transaction),
                task: task.taskIdentifier
            )
        }
        #endif

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            tasks.received(ResponseHead(response), task: dataTask.taskIdentifier)
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            tasks.received(data, task: dataTask.taskIdentifier)
        }

        func urlSession(
            _ session: URLSession,
            webSocketTask task: URLSessionWebSocketTask,
            didOpenWithProtocol subprotocol: String?
        ) {
            var headers = task.response.map { ResponseHead($0).headers } ?? HTTPFields()
            if let subprotocol, !subprotocol.isEmpty { headers[.secWebSocketProtocol] = subprotocol }
            tasks.opened(headers: headers, task: task.taskIdentifier)
        }

        func urlSession(
            _ session: URLSession,
            webSocketTask task: URLSessionWebSocketTask,
            didCloseWith code: URLSessionWebSocketTask.CloseCode,
            reason: Data?
        ) {
            guard let closure = WebSocketClosure(code, reason: reason) else { return }
            tasks.receivedClose(closure, task: task.taskIdentifier)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let url = tasks.exchange(of: task.taskIdentifier)?.exchange.url
            tasks.completed(
                error.map { URLError(urlSessionError: $0, url: url, isShutDown: isShutDown.withLock { $0 }) },
                head: task.response.map { ResponseHead($0) },
                task: task.taskIdentifier
            )
        }
    }
}

extension URLRequest {
    /// Creates the request for URLSession from a transport request, without its body.
    ///
    /// Properties that are not part of HTTP, such as `allowsCellularAccess`, are those of the original request.
    init(_ request: TransportRequest, timeout: TimeInterval) {
        self = request.urlRequest ?? URLRequest(url: request.url)
        url = request.url
        cachePolicy = .reloadIgnoringLocalCacheData
        httpMethod = request.method.rawValue
        httpBody = nil
        httpBodyStream = nil
        timeoutInterval = timeout
        httpShouldHandleCookies = false
        // The body determines the framing.
        allHTTPHeaderFields = HTTPFields(request.headers.filter { !$0.name.isFraming }).byURLSessionName
        if let codings = request.headers[.acceptEncoding] {
            setValue(URLSessionCodings().acceptEncoding(for: codings), forHTTPHeaderField: "Accept-Encoding")
        }
        #if !canImport(Darwin)
        // Foundation on Linux adds the content type of a form to a POST without one; libcurl omits a blank
        // value.
        if request.body != nil, request.headers[.contentType] == nil {
            setValue(" ", forHTTPHeaderField: "Content-Type")
        }
        #endif
    }
}

extension ResponseHead {
    fileprivate init(_ response: URLResponse) {
        var fields = HTTPFields()
        let response = response as? HTTPURLResponse
        for (name, value) in response?.allHeaderFields ?? [:] {
            guard let text = name as? String, let name = HTTPField.Name(text) else { continue }
            let value = String(describing: value)
            for line in name == .setCookie ? SetCookieLines.split(value) : [value] {
                fields.append(HTTPField(name: name, value: line))
            }
        }
        self.init(status: response?.statusCode ?? 0, headers: fields)
    }
}

#if canImport(Darwin)
extension URLSessionConnectionFacts {
    fileprivate init(_ metrics: URLSessionTaskTransactionMetrics) {
        self.init(
            protocolName: metrics.networkProtocolName,
            remote: (metrics.remoteAddress, metrics.remotePort),
            local: (metrics.localAddress, metrics.localPort),
            isReused: metrics.isReusedConnection
        )
    }
}

extension URLSessionTimes {
    fileprivate init(_ metrics: URLSessionTaskTransactionMetrics) {
        self.init()
        lookup = (metrics.domainLookupStartDate, metrics.domainLookupEndDate)
        connect = (metrics.connectStartDate, metrics.connectEndDate)
        secure = (metrics.secureConnectionStartDate, metrics.secureConnectionEndDate)
        request = (metrics.requestStartDate, metrics.requestEndDate)
        response = (metrics.responseStartDate, metrics.responseEndDate)
        requestBytes = (metrics.countOfRequestHeaderBytesSent, metrics.countOfRequestBodyBytesSent)
        responseBytes = (metrics.countOfResponseHeaderBytesReceived, metrics.countOfResponseBodyBytesReceived)
        status = (metrics.response as? HTTPURLResponse)?.statusCode
        tls = ExchangeConnection.TLS(
            versionNumber: metrics.negotiatedTLSProtocolVersion?.rawValue,
            cipherSuiteNumber: metrics.negotiatedTLSCipherSuite?.rawValue
        )
    }
}
#endif
