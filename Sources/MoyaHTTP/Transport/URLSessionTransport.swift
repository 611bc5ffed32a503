import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests through Foundation's URLSession.
///
/// It is the default on Apple's platforms, and wherever the package trait `AsyncHTTPClient` is off. Redirects, cookies,
/// cached responses and stored credentials are the ``Session``'s business, so they are switched off here.
///
/// URLSession sends no GET with a body: such a request fails with ``RequestValidationError/bodyNotAllowed(method:)``. On
/// Linux it sends a body that is streamed in chunks, also where its length is known, and no async sequence
/// (``RequestValidationError/bodySequenceNotSupported``).
///
/// Of the `URLRequest` that a session is given it also honors what HTTP does not know: `allowsCellularAccess`,
/// `allowsExpensiveNetworkAccess`, `allowsConstrainedNetworkAccess`, `networkServiceType`, `assumesHTTP3Capable`,
/// `requiresDNSSECValidation` and the like, as far as the platform has them.
///
/// On Apple's platforms a body that is one file is read by URLSession itself, so that a file that changes while it is sent
/// is not always noticed. A body that is streamed is read again, if it can be, when URLSession sends the request once more.
/// While a task waits for connectivity (`waitsForConnectivity`) its idle time stands still.
///
/// A background configuration is refused with a ``TransportConfigurationError``: URLSession runs no data tasks in the
/// background.
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let delegate: Delegate
    private let isShutDown = Locked(false)
    /// Why nothing is sent.
    private let refusal: TransportConfigurationError?

    /// Makes a transport with a URLSession of its own, which is invalidated when the transport goes.
    ///
    /// With a background configuration each request fails with a ``TransportConfigurationError``.
    ///
    /// - Parameter configuration: Copied. What the session decides itself is overridden in the copy: its cookie storage,
    ///   cache and credential storage are removed, and its time-outs are those of each request.
    public init(configuration: URLSessionConfiguration = .default) {
        refusal = Self.refusal(of: configuration)
        delegate = Delegate(URLSessionSettings())
        session = URLSession(
            configuration: Self.own(refusal == nil ? configuration : .ephemeral),
            delegate: delegate,
            delegateQueue: nil
        )
    }

    /// Makes a transport with a URLSession of its own that connects as the settings say.
    ///
    /// URLSession can't do all of them, and on Linux but one: ``TransportConfiguration/maximumConnectionsPerHost``.
    ///
    /// - Parameters:
    ///   - configuration: Copied, with the changes that ``init(configuration:)`` makes, and those of the settings.
    ///   - settings: How to connect.
    /// - Throws: ``TransportConfigurationError`` for what URLSession can't do.
    public init(
        configuration: URLSessionConfiguration = .default,
        settings: TransportConfiguration
    ) throws(TransportConfigurationError) {
        if let refusal = Self.refusal(of: configuration) { throw refusal }
        refusal = nil
        let own = Self.own(configuration)
        delegate = Delegate(try URLSessionSettings(settings, writingTo: own))
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

    /// An exchange has time-outs of its own; URLSession's must not come first. A week, in seconds.
    private static let never: TimeInterval = 7 * 24 * 3600

    /// Does one exchange.
    ///
    /// - Throws: `URLError`; ``RequestBodyError``; ``RequestValidationError`` for a GET or TRACE with a body, and on Linux
    ///   for a body that is an async sequence; or ``TransportConfigurationError`` where the configuration is one for the
    ///   background.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        if let refusal { throw refusal }
        if request.body != nil, request.method == .get || request.method == .trace {
            throw RequestValidationError.bodyNotAllowed(method: request.method.rawValue)
        }
        let exchange = Exchange(request)
        var urlRequest = URLRequest(request, timeout: Self.never)
        var upload: URLSessionUpload?
        var file: URL?
        switch request.body.map({ ($0, URLSessionBody($0)) }) {
        case nil: break
        case (_, .data(let data))?: urlRequest.httpBody = data
        case (let body, .file(let url))?:
            // Checks the file: URLSession says less about what is wrong with it.
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
        let response = try await exchange.response {
            // Under the lock, and only there: on Linux a session that is invalidated ends the process when it is asked for a task.
            let task: URLSessionDataTask? = isShutDown.withLock { isShutDown in
                if isShutDown { return nil }
                if let file { return session.uploadTask(with: urlRequest, fromFile: file) }
                return session.dataTask(with: urlRequest)
            }
            guard let task else { return exchange.failed(.cancelled(url: request.url)) }
            let entry = Delegate.Entry(exchange: exchange, task, upload: upload, proxyUser: request.proxyUser)
            delegate.add(entry, for: task)
            task.resume()
            exchange.began(
                Exchange.Engine(
                    cancel: { Self.cancel(task) },
                    schedule: Exchange.Engine.scheduleByTask
                )
            )
            upload?.start()
        }
        return try response.limited(by: request.decodingLimits, url: request.url)
    }

    private static func cancel(_ task: URLSessionTask) {
        #if canImport(Darwin)
            task.cancel()
        #else
            // On Linux it waits for the queue on which a body is read, and ends the process where that is this one.
            DispatchQueue.global().async { task.cancel() }
        #endif
    }

    /// Invalidates the URLSession and cancels what it has running. What is sent afterwards fails with `URLError.cancelled`.
    public func shutdown() async {
        isShutDown.withLock { $0 = true }
        session.invalidateAndCancel()
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Carries what URLSession calls back into the exchange it belongs to.
    private final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
        /// What belongs to a task.
        struct Entry: Sendable {
            let exchange: Exchange
            let flow: URLSessionFlowControl
            let upload: URLSessionUpload?
            let proxyUser: UserCredential?

            init(exchange: Exchange, _ task: URLSessionTask, upload: URLSessionUpload?, proxyUser: UserCredential?) {
                self.exchange = exchange
                self.upload = upload
                self.proxyUser = proxyUser
                flow = URLSessionFlowControl(suspend: { task.suspend() }, resume: { task.resume() })
            }
        }

        private let entries = Locked<[Int: Entry]>([:])
        private let settings: URLSessionSettings

        init(_ settings: URLSessionSettings) { self.settings = settings }

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
                    proxyUser: entry?.proxyUser,
                    url: entry?.exchange.url
                ) { answer in
                    switch answer {
                    case .byDefault: completionHandler(.performDefaultHandling, nil)
                    case .use(let credential): completionHandler(.useCredential, credential)
                    case .refuse(let error):
                        // What is said first stands: URLSession reports a cancelled task then.
                        if let error { entry?.exchange.failed(error) }
                        completionHandler(.cancelAuthenticationChallenge, nil)
                    }
                }
            }
        #endif

        #if !canImport(Darwin)
            // On Linux a task waits for ever for the answer to a challenge that nobody has a credential for
            // (swift-corelibs-foundation, issue 5456). By now the whole response is there: it is what was asked for.
            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                didReceive challenge: URLAuthenticationChallenge,
                completionHandler:
                    @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
            ) {
                if let entry = removeEntry(of: task) {
                    if let response = task.response { entry.exchange.receivedHead(ResponseHead(response)) }
                    entry.exchange.finished()
                    entry.upload?.close()
                }
                completionHandler(.cancelAuthenticationChallenge, nil)
            }
        #endif

        // MARK: The request

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
                // On Linux the rest of a body in memory is sent then, as if it were the whole of it, and a stream in place
                // of it ends the process.
                if entry.upload == nil {
                    entry.exchange.failed(.exchange(.networkConnectionLost, url: entry.exchange.url))
                    URLSessionTransport.cancel(task)
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
            entry(of: task)?.exchange.sentSomething()
        }

        // MARK: The response

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            entry(of: dataTask)?.exchange.receivedHead(ResponseHead(response))
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            guard let entry = entry(of: dataTask) else { return }
            #if canImport(Darwin)
                entry.flow.received(data, by: entry.exchange)
            #else
                // On Linux a task that was suspended starts from the beginning when it is resumed.
                entry.exchange.received(data) {}
            #endif
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            guard let entry = removeEntry(of: task) else { return }
            let exchange = entry.exchange
            if let error {
                exchange.failed(URLError(urlSessionError: error, url: exchange.url))
            } else {
                // On Linux a redirect that is not followed is told at the end only.
                if let response = task.response { exchange.receivedHead(ResponseHead(response)) }
                exchange.finished()
            }
            entry.upload?.close()
        }
    }
}

extension URLRequest {
    /// Makes what URLSession gets from a transport's request, without its body.
    ///
    /// What HTTP does not know, such as `allowsCellularAccess`, is that of the request that the session was given.
    init(_ request: TransportRequest, timeout: TimeInterval) {
        self = request.urlRequest ?? URLRequest(url: request.url)
        url = request.url
        cachePolicy = .reloadIgnoringLocalCacheData
        httpMethod = request.method.rawValue
        httpBody = nil
        httpBodyStream = nil
        timeoutInterval = timeout
        httpShouldHandleCookies = false
        allHTTPHeaderFields = Dictionary(
            request.headers.map { ($0.name.rawName, $0.value) },
            uniquingKeysWith: { "\($0), \($1)" }
        )
        #if !canImport(Darwin)
            // Foundation on Linux gives a POST without a content type that of a form; libcurl leaves out a blank value.
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
