#if AsyncHTTPClient && !canImport(Darwin)
import AsyncHTTPClient
import Foundation
import HTTPTypes
import MoyaHTTP
import MoyaLocks
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// A transport that uses the application's AsyncHTTPClient, with its connections, settings and metrics.
///
/// ``NIOTransport`` is faster, and needs no client. This transport requires the package trait `AsyncHTTPClient`, and does not
/// exist on Apple's platforms. It decodes responses in gzip and deflate.
///
///     let transport = AsyncHTTPClientTransport(client: client)
///     let provider = MoyaProvider<GitHub>(session: Session(transport: transport))
public final class AsyncHTTPClientTransport: HTTPTransport, TimedTransport {
    let client: HTTPClient
    private let runningRequests = RunningRequests()
    /// The exchanges to cancel at the shutdown.
    private let exchanges = Locked<[ObjectIdentifier: Exchange]>([:])

    /// Creates a transport over a client that the application creates, keeps and shuts down.
    ///
    /// The client's settings apply; its timeouts apply in addition to the timeouts of each request. Configure the client
    /// as follows:
    /// - `redirectConfiguration: .disallow`, because the session does not see redirects that the client follows;
    /// - `decompression: .disabled`, because the transport decodes bodies;
    /// - one event loop: with several loops, AsyncHTTPClient 1.37 ends the process if a server responds before it has received the
    ///   whole request body and then closes the connection;
    /// - `httpVersion` set to `.http1Only` for servers that you do not trust: over HTTP/2, SwiftNIO ends the
    ///   process if a server sends an invalid `:status`.
    ///
    /// ``NIOTransport`` has neither of the last two faults.
    public init(client: HTTPClient) { self.client = client }

    /// Performs one exchange.
    ///
    /// - Throws: `URLError`; ``RequestBodyError``; or ``RequestValidationError`` for a TRACE with a body, and for a body with
    ///   trailers.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        if request.body?.hasTrailers == true { throw RequestValidationError.trailersNotSupported }
        let exchange = try request.makeExchange()
        let key = ObjectIdentifier(exchange)
        exchanges.withLock { $0[key] = exchange }
        exchange.whenOver { [exchanges] in _ = exchanges.withLock { $0.removeValue(forKey: key) } }
        do {
            try runningRequests.begin(for: exchange.url)
            defer { runningRequests.ended() }
            let response = try await start(request, exchange)
            runningRequests.countBody(of: response, exchange)
            return response
        } catch {
            // The exchange may have failed before it began.
            _ = exchanges.withLock { $0.removeValue(forKey: key) }
            throw error
        }
    }

    private func start(_ request: TransportRequest, _ exchange: Exchange) async throws -> TransportResponse {
        if let body = request.body, body.inlineData == nil {
            return try await start(request, uploading: body.openWithoutBlocking(), exchange)
        }
        exchange.reportInlineBodyOnConnect(request.body)
        return try await start(clientRequest(for: request), exchange)
    }

    private func start(_ request: HTTPClient.Request, _ exchange: Exchange) async throws -> TransportResponse {
        try await exchange.perform {
            // The client schedules each call on its event loop separately. Calls from the loop run immediately.
            let loop = client.eventLoopGroup.any()
            loop.execute { [client] in
                guard !exchange.isOver else { return }
                let task = client.execute(
                    request: request,
                    delegate: Delegate(exchange),
                    eventLoop: .delegate(on: loop)
                )
                // The future replaces the delegate's didReceiveError, which a client does not call after its shutdown.
                task.futureResult.whenFailure {
                    exchange.failed(URLError(clientError: $0, url: exchange.url))
                }
                exchange.setCarrier(Exchange.Carrier(on: loop) { _ in task.cancel() })
            }
        }
    }

    /// Cancels running requests, and refuses later ones.
    ///
    /// The client belongs to the application, and is not shut down.
    public func shutdown() async {
        runningRequests.close()
        for exchange in exchanges.withLock({ Array($0.values) }) { exchange.abortForShutdown() }
    }

    /// Refuses new requests, waits for the end of running ones, and cancels the rest.
    ///
    /// The client belongs to the application, and is not shut down.
    ///
    /// - Parameter grace: The maximum time to wait.
    /// - Returns: The number of requests that ended by themselves, and the number of cancelled requests.
    @discardableResult
    public func shutdown(grace: Duration) async -> ShutdownResult {
        let result = await runningRequests.drain(atMost: grace)
        await shutdown()
        return result
    }

    private func clientRequest(for request: TransportRequest) throws -> HTTPClient.Request {
        do {
            return try HTTPClient.Request(
                url: request.url,
                method: NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue),
                headers: NIOHTTP1.HTTPHeaders(request.headers),
                body: request.body?.inlineData.map { .byteBuffer(ByteBuffer(data: $0)) }
            )
        } catch {
            throw URLError(clientError: error, url: request.url)
        }
    }

    /// A delegate that passes the client's callbacks to the exchange.
    private final class Delegate: HTTPClientResponseDelegate {
        typealias Response = Void

        private let exchange: Exchange

        init(_ exchange: Exchange) { self.exchange = exchange }

        func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) { exchange.connected() }

        func didSendRequestPart(task: HTTPClient.Task<Void>, _ part: IOData) { exchange.recordActivity() }

        func didSendRequest(task: HTTPClient.Task<Void>) { exchange.requestSent() }

        func didReceiveHead(task: HTTPClient.Task<Void>, _ head: HTTPResponseHead) -> EventLoopFuture<Void> {
            exchange.receivedHead(ResponseHead(head))
            return task.eventLoop.makeSucceededVoidFuture()
        }

        func didReceiveBodyPart(task: HTTPClient.Task<Void>, _ buffer: ByteBuffer) -> EventLoopFuture<Void> {
            let taken = task.eventLoop.makePromise(of: Void.self)
            exchange.received(Data(buffer: buffer)) { taken.succeed() }
            return taken.futureResult
        }

        func didFinishRequest(task: HTTPClient.Task<Void>) throws { exchange.finished() }
    }
}
#endif
