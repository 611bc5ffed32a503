#if AsyncHTTPClient && !canImport(Darwin)
import AsyncHTTPClient
import Foundation
import HTTPTypes
import MoyaHTTP
import MoyaLocks
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

extension AsyncHTTPClientTransport {
    /// Performs one exchange whose body is read as it is sent.
    ///
    /// The function uses the client's async interface, because the client's delegate interface loses the response if a server
    /// responds before it has read the whole body.
    func start(
        _ request: TransportRequest,
        uploading body: HTTPBody.Reader,
        _ exchange: Exchange
    ) async throws -> TransportResponse {
        let clientRequest = try clientRequest(for: request, uploading: body, exchange)
        return try await exchange.perform {
            let upload = clientRequest.upload
            let task = Task { [client] in
                defer { upload.stop() }
                do {
                    let response = try await client.execute(clientRequest.request, deadline: .distantFuture)
                    exchange.receivedHead(ResponseHead(response))
                    for try await buffer in response.body {
                        let taken = Promise<Void>()
                        exchange.received(Data(buffer: buffer)) { taken.fulfill(()) }
                        await taken.wait()
                    }
                    exchange.finished()
                } catch {
                    if let error = upload.error { exchange.bodyFailed(error) }
                    exchange.failed(URLError(clientError: error, url: exchange.url))
                }
            }
            exchange.setCarrier(
                Exchange.Carrier(
                    stop: { _ in
                        task.cancel()
                        upload.stop()
                    },
                    schedule: Exchange.Carrier.scheduleByTask
                )
            )
        }
    }

    private func clientRequest(
        for request: TransportRequest,
        uploading body: HTTPBody.Reader,
        _ exchange: Exchange
    ) throws -> (request: HTTPClientRequest, upload: Upload) {
        // The client does not report the beginning of a request that it performs asynchronously.
        let upload = Upload(
            body,
            loops: client.eventLoopGroup,
            sent: { exchange.connected() },
            sentEnd: { exchange.requestSent() }
        )
        var clientRequest = HTTPClientRequest(url: request.url.absoluteString)
        clientRequest.method = NIOHTTP1.HTTPMethod(rawValue: request.method.rawValue)
        clientRequest.headers = NIOHTTP1.HTTPHeaders(request.headers)
        clientRequest.body = .stream(
            Upload.Pieces(upload: upload),
            length: body.length.map { .known($0) } ?? .unknown
        )
        return (clientRequest, upload)
    }
}

/// A request body that the client reads.
private final class Upload: Sendable {
    private struct State: Sendable {
        /// The body, released when reading stops: the client may keep the upload indefinitely.
        var body: HTTPBody.Reader?
        /// Cancels the piece that is being read.
        var cancel: (@Sendable () -> Void)?
        /// The number of bytes that may wait for the event loops.
        var waiting = 0
        var error: RequestBodyError?
    }

    private let loops: any EventLoopGroup
    private let sent: @Sendable () -> Void
    private let sentEnd: @Sendable () -> Void
    private let state: Locked<State>

    /// The maximum value of `waiting`.
    private static let waitingLimit = 1024 * 1024
    /// The memory in bytes that each piece needs in addition to its content, as an upper estimate.
    private static let costOfPiece = 1024

    init(
        _ body: HTTPBody.Reader,
        loops: any EventLoopGroup,
        sent: @escaping @Sendable () -> Void,
        sentEnd: @escaping @Sendable () -> Void
    ) {
        self.loops = loops
        self.sent = sent
        self.sentEnd = sentEnd
        state = Locked(State(body: body))
    }

    /// The error of the body, if the exchange failed because the body could not be read.
    var error: RequestBodyError? { state.withLock { $0.error } }

    /// Stops reading, because the client does not cancel a body that waits for data.
    func stop() {
        let (body, cancel) = state.withLock { state in
            defer { (state.body, state.cancel) = (nil, nil) }
            return (state.body, state.cancel)
        }
        cancel?()
        // The last reference may be released here, outside of the lock.
        _ = body
    }

    private func next() async throws -> ByteBuffer? {
        try await waitForEventLoops()
        // A call for the next piece means that the previous one was sent.
        sent()
        guard let body = state.withLock({ $0.body }) else { throw CancellationError() }
        let piece = Task { try await body.next() }
        let isStopped = state.withLock { state in
            if state.body != nil { state.cancel = { piece.cancel() } }
            return state.body == nil
        }
        if isStopped { piece.cancel() }
        do {
            let data = try await piece.value
            state.withLock { state in
                state.cancel = nil
                state.waiting += (data?.count ?? 0) + Self.costOfPiece
            }
            if data == nil { sentEnd() }
            return data.map { ByteBuffer(data: $0) }
        } catch {
            state.withLock { state in
                state.cancel = nil
                // An error caused by a stop is not a failure of the body.
                if state.body != nil { state.error = error as? RequestBodyError }
            }
            throw error
        }
    }

    /// Waits until all event loops have run their tasks.
    ///
    /// The client hands each piece to the connection's event loop without waiting for the loop. Only a running loop can report
    /// that the connection is full, so a busy loop would collect the whole body. The client does not report which loop it uses, so
    /// the function waits for all loops.
    private func waitForEventLoops() async throws {
        let isDue = state.withLock { state in
            guard state.waiting >= Self.waitingLimit else { return false }
            state.waiting = 0
            return true
        }
        guard isDue else { return }
        let passed = loops.makeIterator().map { loop in
            let passed = Promise<Void>()
            loop.execute { passed.fulfill(()) }
            return passed
        }
        for loop in passed { await loop.wait() }
    }

    struct Pieces: AsyncSequence, Sendable {
        let upload: Upload

        struct AsyncIterator: AsyncIteratorProtocol {
            let upload: Upload

            func next() async throws -> ByteBuffer? { try await upload.next() }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(upload: upload) }
    }
}

extension ResponseHead {
    init(_ response: HTTPClientResponse) {
        self.init(status: Int(response.status.code), headers: HTTPFields(response.headers))
    }
}
#endif
