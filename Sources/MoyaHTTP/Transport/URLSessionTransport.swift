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
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let delegate: Delegate
    private let isShutDown = Locked(false)

    /// Makes a transport with a URLSession of its own, which is invalidated when the transport goes.
    ///
    /// - Parameter configuration: Copied. What the session decides itself is overridden in the copy: its cookie storage,
    ///   cache and credential storage are removed, and its time-outs are those of each request.
    public init(configuration: URLSessionConfiguration = .default) {
        delegate = Delegate(URLSessionSettings())
        session = URLSession(configuration: Self.own(configuration), delegate: delegate, delegateQueue: nil)
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
        let own = Self.own(configuration)
        delegate = Delegate(try URLSessionSettings(settings, writingTo: own))
        session = URLSession(configuration: own, delegate: delegate, delegateQueue: nil)
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
    /// - Throws: `URLError`; ``RequestBodyError``; or ``RequestValidationError`` for a GET or TRACE with a body, and on Linux
    ///   for a body that is an async sequence.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        if request.body != nil, request.method == .get || request.method == .trace {
            throw RequestValidationError.bodyNotAllowed(method: request.method.rawValue)
        }
        var urlRequest = URLRequest(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData)
        urlRequest.httpMethod = request.method.rawValue
        urlRequest.timeoutInterval = Self.never
        urlRequest.httpShouldHandleCookies = false
        urlRequest.allHTTPHeaderFields = Dictionary(
            request.headers.map { ($0.name.rawName, $0.value) },
            uniquingKeysWith: { "\($0), \($1)" }
        )
        #if !canImport(Darwin)
            // Foundation on Linux gives a POST without a content type that of a form; libcurl leaves out a blank value.
            if request.body != nil, request.headers[.contentType] == nil {
                urlRequest.setValue(" ", forHTTPHeaderField: "Content-Type")
            }
        #endif
        let exchange = Exchange(request)
        if let body = request.body {
            if let data = body.data {
                urlRequest.httpBody = data
            } else {
                urlRequest.httpBodyStream = try URLSessionBodyStream.make(from: body.open()) { exchange.bodyFailed($0) }
            }
        }
        let response = try await exchange.response {
            // Under the lock, and only there: on Linux a session that is invalidated ends the process when it is asked for a task.
            let task = isShutDown.withLock { $0 ? nil : session.dataTask(with: urlRequest) }
            guard let task else { return exchange.failed(.cancelled(url: request.url)) }
            delegate.add(exchange, for: task)
            task.resume()
            exchange.began(
                Exchange.Engine(
                    cancel: { task.cancel() },
                    schedule: Exchange.Engine.scheduleByTask
                )
            )
        }
        return try response.limited(by: request.decodingLimits, url: request.url)
    }

    /// Invalidates the URLSession and cancels what it has running. What is sent afterwards fails with `URLError.cancelled`.
    public func shutdown() async {
        isShutDown.withLock { $0 = true }
        session.invalidateAndCancel()
    }

    deinit { session.finishTasksAndInvalidate() }

    /// Carries what URLSession calls back into the exchange it belongs to.
    private final class Delegate: NSObject, URLSessionDataDelegate, Sendable {
        private let exchanges = Locked<[Int: Exchange]>([:])
        private let settings: URLSessionSettings

        init(_ settings: URLSessionSettings) { self.settings = settings }

        #if canImport(Security)
            // Not verified: this has not been compiled or run on an Apple platform yet.
            func urlSession(
                _ session: URLSession,
                task: URLSessionTask,
                didReceive challenge: URLAuthenticationChallenge,
                completionHandler:
                    @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
            ) {
                let exchange = exchange(of: task)
                switch URLSessionTrust.answer(to: challenge, settings, url: exchange?.url) {
                case .byDefault: completionHandler(.performDefaultHandling, nil)
                case .use(let credential): completionHandler(.useCredential, credential)
                case .refuse(let error):
                    // What is said first stands: URLSession reports a cancelled task then.
                    if let error { exchange?.failed(error) }
                    completionHandler(.cancelAuthenticationChallenge, nil)
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
                if let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) {
                    if let response = task.response { exchange.receivedHead(ResponseHead(response)) }
                    exchange.finished()
                }
                completionHandler(.cancelAuthenticationChallenge, nil)
            }
        #endif

        func add(_ exchange: Exchange, for task: URLSessionTask) {
            exchanges.withLock { $0[task.taskIdentifier] = exchange }
        }

        private func exchange(of task: URLSessionTask) -> Exchange? {
            exchanges.withLock { $0[task.taskIdentifier] }
        }

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
            didSendBodyData bytesSent: Int64,
            totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) {
            exchange(of: task)?.sentSomething()
        }

        func urlSession(
            _ session: URLSession,
            dataTask: URLSessionDataTask,
            didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            exchange(of: dataTask)?.receivedHead(ResponseHead(response))
            completionHandler(.allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            guard let exchange = exchange(of: dataTask) else { return }
            #if canImport(Darwin)
                // A task that is suspended hands over no more until the reader has taken this.
                dataTask.suspend()
                exchange.received(data) { dataTask.resume() }
            #else
                // On Linux a task that was suspended starts from the beginning when it is resumed.
                exchange.received(data) {}
            #endif
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            guard let exchange = exchanges.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
            if let error {
                exchange.failed(URLError(urlSessionError: error, url: exchange.url))
            } else {
                // On Linux a redirect that is not followed is told at the end only.
                if let response = task.response { exchange.receivedHead(ResponseHead(response)) }
                exchange.finished()
            }
        }
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
