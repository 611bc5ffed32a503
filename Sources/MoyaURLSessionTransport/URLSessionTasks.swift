import Foundation
import HTTPTypes
import MoyaWebSockets

/// The implementations of URLSession, whose tasks behave differently.
enum URLSessionImplementation: CaseIterable, Sendable {
    /// URLSession on Apple's platforms.
    case darwin
    /// The open-source Foundation, over libcurl.
    case corelibs

    #if canImport(Darwin)
    static let current = URLSessionImplementation.darwin
    #else
    static let current = URLSessionImplementation.corelibs
    #endif

    /// Whether a resumed task continues where it was suspended.
    ///
    /// The open-source Foundation starts it from the beginning.
    var canContinueSuspendedTasks: Bool { self == .darwin }

    /// Whether a body in memory is sent again as a whole.
    ///
    /// The open-source Foundation would send only the rest of the body, and crash if it got a stream instead.
    var canRepeatData: Bool { self == .darwin }
}

/// The running tasks of a URLSession, which pass its callbacks to their exchanges.
///
/// The type refers to tasks by their identifiers, and uses no type of URLSession, so that tests can call it in any order. A
/// callback for a task that has completed does nothing.
final class URLSessionTasks: Sendable {
    private let running = Locked<[Int: URLSessionExchange]>([:])
    private let implementation: URLSessionImplementation

    init(_ implementation: URLSessionImplementation = .current) { self.implementation = implementation }

    /// Adds a task before it is resumed.
    func add(_ exchange: URLSessionExchange, task: Int) {
        running.withLock { $0[task] = exchange }
    }

    /// Returns the exchange of a running task.
    func exchange(of task: Int) -> URLSessionExchange? {
        running.withLock { $0[task] }
    }

    private func remove(_ task: Int) -> URLSessionExchange? {
        running.withLock { $0.removeValue(forKey: task) }
    }

    // MARK: Request

    func pauseForConnectivity(task: Int) {
        exchange(of: task)?.exchange.pauseForConnectivity()
    }

    func didSendBody(total: Int64, task: Int) {
        exchange(of: task)?.didSendBody(total: total)
    }

    /// Returns the body of a request that is sent again.
    func nextBodyStream(task: Int) -> InputStream? {
        guard let exchange = exchange(of: task) else { return nil }
        if let upload = exchange.upload { return upload.nextStream() }
        if !implementation.canRepeatData {
            exchange.exchange.failed(.make(.networkConnectionLost, url: exchange.exchange.url))
            exchange.cancelTask()
        }
        return nil
    }

    // MARK: Response

    func receivedInterim(_ head: ResponseHead, task: Int) {
        exchange(of: task)?.exchange.receivedInterim(head)
    }

    func received(_ head: ResponseHead, task: Int) {
        exchange(of: task)?.received(head)
    }

    /// Handles the agreement of the server to a WebSocket.
    func opened(headers: HTTPFields, task: Int) {
        guard let exchange = exchange(of: task), let webSocket = exchange.webSocket else { return }
        exchange.received(webSocket.makeHead(headers))
        webSocket.begin()
    }

    /// Handles the server's close frame.
    func receivedClose(_ closure: WebSocketClosure, task: Int) { exchange(of: task)?.webSocket?.receivedClose(closure) }

    func received(_ data: Data, task: Int) {
        guard let exchange = exchange(of: task) else { return }
        exchange.length.received(data.count)
        if implementation.canContinueSuspendedTasks {
            exchange.flow.received(data, by: exchange.exchange)
        } else {
            exchange.exchange.received(data) {}
        }
    }

    /// Records the facts of the connection and the times of the task, which are known when the body has been received.
    func collected(_ facts: URLSessionConnectionFacts, _ times: URLSessionTimes = URLSessionTimes(), task: Int) {
        guard let exchange = exchange(of: task) else { return }
        exchange.connection.withLock { $0 = facts }
        exchange.exchange.recorder?.replaceTimes(by: times.events(on: facts))
    }

    // MARK: End

    /// Fails the exchange because a challenge was refused.
    ///
    /// The exchange keeps this error, although URLSession then reports a cancelled task.
    func refused(_ error: URLError, task: Int) {
        exchange(of: task)?.exchange.failed(error)
    }

    /// Completes a task.
    ///
    /// - Parameters:
    ///   - error: The error of the task, if it has failed.
    ///   - head: The head of the response, for a redirect that is not followed: the open-source Foundation reports it
    ///     only here.
    ///   - task: The identifier of the task.
    func completed(_ error: URLError? = nil, head: @autoclosure () -> ResponseHead? = nil, task: Int) {
        guard let exchange = remove(task) else { return }
        if let webSocket = exchange.webSocket {
            if exchange.exchange.hasReceivedHead { return webSocket.ended(error) }
            // The error of a refusal has no other information than its response.
            if let head = head(), head.status != 101 {
                exchange.received(head)
                return exchange.exchange.finished()
            }
        }
        if let error {
            exchange.exchange.failed(exchange.connection.withLock { $0 }.error(error))
        } else if let error = exchange.length.error(url: exchange.exchange.url) {
            exchange.exchange.failed(error)
        } else {
            if let head = head() { exchange.received(head) }
            exchange.exchange.finished()
        }
        exchange.upload?.close()
    }
}

/// One exchange over a task of URLSession.
struct URLSessionExchange: Sendable {
    let exchange: Exchange
    let flow: URLSessionFlowControl
    /// The length of the request's body; `nil` if it is unknown.
    let bodyLength: Int64?
    let upload: URLSessionUpload?
    let progress: HTTPBody.SentProgress?
    /// The carrier, if the task is a WebSocket.
    let webSocket: MessageWebSocketCarrier?
    let proxyUsers: ProxyUsers
    let length: URLSessionBodyLength
    let connection = Locked(URLSessionConnectionFacts())
    let cancelTask: @Sendable () -> Void

    init(
        _ exchange: Exchange,
        _ request: TransportRequest,
        flow: URLSessionFlowControl,
        bodyLength: Int64? = 0,
        upload: URLSessionUpload? = nil,
        progress: HTTPBody.SentProgress? = nil,
        webSocket: MessageWebSocketCarrier? = nil,
        cancelTask: @escaping @Sendable () -> Void
    ) {
        (self.exchange, self.flow, self.upload, self.progress) = (exchange, flow, upload, progress)
        (self.bodyLength, self.webSocket, self.cancelTask) = (bodyLength, webSocket, cancelTask)
        proxyUsers = ProxyUsers(afterResponse: request.proxyUser, own: request.tunnelUser)
        length = URLSessionBodyLength(method: request.method)
    }

    /// Creates an exchange for a WebSocket, whose carrier limits the messages that wait.
    init(_ exchange: Exchange, _ request: TransportRequest, webSocket: MessageWebSocketCarrier) {
        self.init(
            exchange,
            request,
            flow: URLSessionFlowControl(suspend: {}, resume: {}),
            webSocket: webSocket,
            cancelTask: { webSocket.stop() }
        )
    }

    fileprivate func received(_ head: ResponseHead) {
        var head = head
        #if canImport(Darwin)
        head.info = ResponseInfo(reasonPhrase: nil) { [connection] in connection.withLock { $0.connection } }
        #endif
        length.receivedHead(head)
        exchange.receivedHead(head)
    }

    fileprivate func didSendBody(total: Int64) {
        // Foundation does not report the beginning of the request.
        exchange.connected()
        if total == bodyLength { exchange.requestSent(bodyBytes: total) }
        progress?.sentBytes(total: total)
    }
}
