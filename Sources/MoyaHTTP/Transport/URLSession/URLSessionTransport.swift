import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that uses Foundation's URLSession.
///
/// It is the default on Apple platforms, and if the package trait `NIO` is off. Redirects, cookies,
/// cached responses and stored credentials are disabled here, since they are tasks of the ``Session``.
///
/// URLSession cannot send a GET with a body: such a request fails with
/// ``RequestValidationError/bodyNotAllowed(method:)``. On Linux it sends streamed bodies in chunks even if their
/// length is known, and does not support async sequences (``RequestValidationError/bodySequenceNotSupported``).
///
/// Properties of the original `URLRequest` that are not part of HTTP are supported, as far as the platform has
/// them: `allowsCellularAccess`, `allowsExpensiveNetworkAccess`, `allowsConstrainedNetworkAccess`,
/// `networkServiceType`, `assumesHTTP3Capable`, `requiresDNSSECValidation` and others.
///
/// On Apple platforms, URLSession reads a body that is a single file itself, so that changes of the file during the
/// upload may not be detected. A streamed body that is repeatable is read again if URLSession sends the request
/// again. While a task waits for connectivity (`waitsForConnectivity`), its idle timeout is paused.
///
/// Errors keep URLSession's localized text and information. A task that the system cancels without a request to do so fails
/// with `URLError.networkConnectionLost`, so that it can be retried. URLSession may hold back the first 512 bytes of a
/// response, and its head, to find out the type of the content, but not those of `application/json`.
///
/// A background configuration is rejected with a ``TransportConfigurationError``, since URLSession does not support
/// data tasks in the background.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let delegate: Delegate
    private let isShutDown = Locked(false)
    private let running = RunningRequests()
    /// The error of all requests, if the configuration is not supported.
    private let refusal: TransportConfigurationError?

    /// Creates a transport with its own URLSession, which is invalidated on deinitialization.
    ///
    /// With a background configuration, each request fails with a ``TransportConfigurationError``.
    ///
    /// - Parameter configuration: A configuration, of which a copy is used. In the copy, cookie storage, cache and
    ///   credential storage are removed, since the session handles these, and timeouts are set for each request.
    public init(configuration: URLSessionConfiguration = .default) {
        refusal = Self.refusal(of: configuration)
        let original = refusal == nil ? configuration : .ephemeral
        let own = Self.own(original)
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
    ///   - connection: How connections are established.
    /// - Throws: ``TransportConfigurationError`` for unsupported settings.
    public init(
        configuration: URLSessionConfiguration = .default,
        connection: TransportConfiguration
    ) throws(TransportConfigurationError) {
        if let refusal = Self.refusal(of: configuration) { throw refusal }
        refusal = nil
        let own = Self.own(configuration)
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

    private static func own(_ configuration: URLSessionConfiguration) -> URLSessionConfiguration {
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
    private static let never: TimeInterval = 7 * 24 * 3600

    /// Performs one exchange.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: `URLError`; ``RequestBodyError``; ``RequestValidationError`` for a GET or TRACE with a body, and
    ///   on Linux for a body that is an async sequence; or ``TransportConfigurationError`` for a background
    ///   configuration.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        if let refusal { throw refusal }
        if request.body != nil, request.method == .get || request.method == .trace {
            throw RequestValidationError.bodyNotAllowed(method: request.method.rawValue)
        }
        let exchange = Exchange(request, isDecoded: true)
        var urlRequest = URLRequest(request, timeout: Self.never)
        var upload: URLSessionUpload?
        var file: URL?
        switch request.body.map({ ($0, URLSessionBody($0)) }) {
        case nil: break
        case (_, .data(let data))?: urlRequest.httpBody = data
        case (let body, .file(let url))?:
            // Checks the file, with more specific errors than those of URLSession.
            _ = try body.open()
            file = url
        case (let body, .stream)?:
            let made = URLSessionUpload(body) { exchange.bodyFailed($0) }
            let (stream, length) = try made.firstStream()
            urlRequest.httpBodyStream = stream
            if let length, URLSessionBody.declaresLengths {
                urlRequest.setValue(String(length), forHTTPHeaderField: "Content-Length")
            }
            upload = made
        }
        let response = try await running.count(exchange) {
            try await exchange.response { start(exchange, request, urlRequest, upload: upload, file: file) }
        }
        return try response.limited(by: request.decodingLimits, url: request.url)
    }

    /// Starts the task of an exchange.
    private func start(
        _ exchange: Exchange,
        _ request: TransportRequest,
        _ urlRequest: URLRequest,
        upload: URLSessionUpload?,
        file: URL?
    ) {
        // Under the lock, since on Linux creating a task of an invalidated session crashes.
        let task: URLSessionDataTask? = isShutDown.withLock { isShutDown in
            if isShutDown { return nil }
            if let file { return session.uploadTask(with: urlRequest, fromFile: file) }
            return session.dataTask(with: urlRequest)
        }
        guard let task else { return exchange.failed(.refusedAfterShutdown(url: request.url)) }
        let entry = Delegate.Entry(exchange: exchange, task, upload: upload, request)
        delegate.add(entry, for: task)
        task.resume()
        exchange.began(
            Exchange.Engine(
                cancel: { [queue = session.delegateQueue] _ in Self.cancel(task, queue) },
                schedule: Exchange.Engine.scheduleByTask
            )
        )
        upload?.start()
    }

    private static func cancel(_ task: URLSessionTask, _ delegateQueue: OperationQueue) {
        #if canImport(Darwin)
            task.cancel()
        #else
            // On Linux, a task that ends on this queue while it is cancelled on another one ends the process.
            delegateQueue.addOperation { task.cancel() }
        #endif
    }

    /// Invalidates the URLSession and cancels running requests.
    ///
    /// Later requests fail with a `URLError` for which `isShutdown` is true.
    public func shutdown() async {
        running.close()
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
        let result = await running.drain(atMost: grace)
        await shutdown()
        return result
    }

    deinit { session.finishTasksAndInvalidate() }

    /// The delegate, which passes callbacks of URLSession to the exchange they belong to.
    private final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
        /// The state of a task.
        struct Entry: Sendable {
            let exchange: Exchange
            let flow: URLSessionFlowControl
            let upload: URLSessionUpload?
            let proxyUsers: ProxyUsers
            let length: URLSessionBodyLength
            #if canImport(Darwin)
                /// The facts of the connection, which URLSession reports when the body has been received.
                let connection = Locked(ResponseInfo.Connection())
            #endif

            init(exchange: Exchange, _ task: URLSessionTask, upload: URLSessionUpload?, _ request: TransportRequest) {
                self.exchange = exchange
                self.upload = upload
                proxyUsers = ProxyUsers(afterResponse: request.proxyUser, own: request.tunnelUser)
                length = URLSessionBodyLength(method: request.method)
                flow = URLSessionFlowControl(suspend: { task.suspend() }, resume: { task.resume() })
            }

            func receivedHead(_ response: URLResponse) {
                #if canImport(Darwin)
                    var head = ResponseHead(response)
                    head.info = ResponseInfo(reasonPhrase: nil) { [connection] in connection.withLock { $0 } }
                #else
                    let head = ResponseHead(response)
                #endif
                length.receivedHead(head)
                exchange.receivedHead(head)
            }
        }

        private let entries = Locked<[Int: Entry]>([:])
        private let settings: URLSessionSettings
        private let isShutDown: Locked<Bool>

        init(_ settings: URLSessionSettings, _ isShutDown: Locked<Bool>) {
            self.settings = settings
            self.isShutDown = isShutDown
        }

        func add(_ entry: Entry, for task: URLSessionTask) {
            entries.withLock { $0[task.taskIdentifier] = entry }
        }

        private func entry(of task: URLSessionTask) -> Entry? {
            entries.withLock { $0[task.taskIdentifier] }
        }

        private func removeEntry(of task: URLSessionTask) -> Entry? {
            entries.withLock { $0.removeValue(forKey: task.taskIdentifier) }
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
                let entry = entry(of: task)
                URLSessionTrust.answer(
                    to: challenge,
                    settings,
                    users: entry?.proxyUsers ?? ProxyUsers(),
                    url: entry?.exchange.url
                ) { answer in
                    switch answer {
                    case .performDefaultHandling: completionHandler(.performDefaultHandling, nil)
                    case .rejectProtectionSpace: completionHandler(.rejectProtectionSpace, nil)
                    case .use(let credential): completionHandler(.useCredential, credential)
                    case .refuse(let error):
                        // The first error counts: URLSession then reports a cancelled task.
                        if let error { entry?.exchange.failed(error) }
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
                if let entry = removeEntry(of: task) {
                    if let response = task.response { entry.receivedHead(response) }
                    entry.exchange.finished()
                    entry.upload?.close()
                }
                completionHandler(.cancelAuthenticationChallenge, nil)
            }
        #endif

        // MARK: Request

        #if canImport(Darwin)
            func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
                entry(of: task)?.exchange.waitsForConnectivity()
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
            guard let entry = entry(of: task) else { return completionHandler(nil) }
            #if !canImport(Darwin)
                // On Linux, the rest of an in-memory body would be sent as if it were the whole, and a stream in
                // its place crashes.
                if entry.upload == nil {
                    entry.exchange.failed(.make(.networkConnectionLost, url: entry.exchange.url))
                    URLSessionTransport.cancel(task, session.delegateQueue)
                }
            #endif
            completionHandler(entry.upload?.nextStream())
        }

        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            didSendBodyData bytesSent: Int64,
            totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) {
            entry(of: task)?.exchange.didSendData()
        }

        // MARK: Response

        // Foundation on Linux has these types and functions in part, and calls neither.
        #if canImport(Darwin)
            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                didReceiveInformationalResponse response: HTTPURLResponse
            ) {
                entry(of: task)?.exchange.receivedInterim(ResponseHead(response))
            }

            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                didFinishCollecting metrics: URLSessionTaskMetrics
            ) {
                guard let entry = entry(of: task), let transaction = metrics.transactionMetrics.last else { return }
                let connection = ResponseInfo.Connection(transaction)
                entry.connection.withLock { $0 = connection }
            }
        #endif

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            entry(of: dataTask)?.receivedHead(response)
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            guard let entry = entry(of: dataTask) else { return }
            entry.length.received(data.count)
            #if canImport(Darwin)
                entry.flow.received(data, by: entry.exchange)
            #else
                // On Linux, a suspended task restarts from the beginning when it is resumed.
                entry.exchange.received(data) {}
            #endif
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            guard let entry = removeEntry(of: task) else { return }
            let exchange = entry.exchange
            if let error {
                exchange.failed(
                    URLError(urlSessionError: error, url: exchange.url, isShutDown: isShutDown.withLock { $0 })
                )
            } else if let error = entry.length.error(url: exchange.url) {
                exchange.failed(error)
            } else {
                // On Linux, a redirect that is not followed is reported only at the end.
                if let response = task.response { entry.receivedHead(response) }
                exchange.finished()
            }
            entry.upload?.close()
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
        allHTTPHeaderFields = request.headers.byURLSessionName
        #if Brotli || Zstd
            // URLSession decodes bodies itself, and may not know all that a session decodes.
            if request.headers[.acceptEncoding] == HTTPHeader.defaultAcceptEncoding.value {
                setValue("gzip, deflate", forHTTPHeaderField: "Accept-Encoding")
            }
        #endif
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
    extension ResponseInfo.Connection {
        fileprivate init(_ metrics: URLSessionTaskTransactionMetrics) {
            self.init(
                httpVersion: metrics.networkProtocolName.map { Self.version($0) },
                remoteAddress: Self.address(metrics.remoteAddress, metrics.remotePort),
                localAddress: Self.address(metrics.localAddress, metrics.localPort)
            )
        }

        /// Returns the version for the name of a protocol in ALPN.
        private static func version(_ name: String) -> String {
            switch name.lowercased() {
            case "h2", "h2c": "HTTP/2"
            case "h3": "HTTP/3"
            default: name.uppercased()
            }
        }

        private static func address(_ ipAddress: String?, _ port: Int?) -> ResponseInfo.Address? {
            guard let ipAddress, let port else { return nil }
            return ResponseInfo.Address(ipAddress: ipAddress, port: port)
        }
    }
#endif
