#if NIO && !canImport(Darwin)
    import Foundation
    import NIOCore
    import NIOFoundationCompat

    /// A reader that passes a body to an event loop piece by piece, reading ahead while pieces are being sent.
    final class NIOUpload: Sendable {
        enum Event: Sendable {
            /// Send the piece; call the function when it has been sent, or will never be.
            case piece(ByteBuffer, sent: @Sendable () -> Void)
            /// The body is complete.
            case end
            case failed(RequestBodyError)
        }

        private struct State: Sendable {
            /// The number of bytes that have not been sent.
            var unsent = 0
            /// Continues reading; set while reading waits for room.
            var goOn: (@Sendable () -> Void)?
            var task: Task<Void, Never>?
            /// The receiver, released when reading stops: a read that never returns keeps the upload alive.
            var tell: (@Sendable (Event) -> Void)?

            var isStopped: Bool { tell == nil }
        }

        /// The number of unsent bytes at which reading pauses.
        private static let limit = 256 * 1024

        private let loop: any EventLoop
        private let state: Locked<State>

        /// Starts reading; `tell` is called on the event loop.
        ///
        /// Synchronous sources are read on a separate thread, even if they do not block: on a busy Swift
        /// concurrency pool, the body would wait for its turn, and its request could time out. Async sequences have
        /// to use the pool.
        init(_ body: HTTPBody.Reader, on loop: any EventLoop, tell: @escaping @Sendable (Event) -> Void) {
            self.loop = loop
            state = Locked(State(tell: tell))
            if body.isSynchronous {
                let queue = DispatchQueue(label: "Moya.NIOUpload")
                queue.async { self.read(body, on: queue) }
            } else {
                let task = Task { await self.read(body) }
                state.withLock { $0.task = task }
            }
        }

        /// Stops reading.
        ///
        /// A pending read may continue, but nothing waits for it.
        func stop() {
            let (goOn, task, tell) = state.withLock { state in
                defer { (state.goOn, state.tell) = (nil, nil) }
                return (state.goOn, state.task, state.tell)
            }
            task?.cancel()
            // The reader detects that it has been stopped.
            goOn?()
            // Released here rather than under the lock.
            _ = tell
        }

        private func read(_ body: HTTPBody.Reader, on queue: DispatchQueue) {
            do throws(RequestBodyError) {
                while true {
                    if mustWait(then: { queue.async { self.read(body, on: queue) } }) { return }
                    if isStopped { return }
                    guard let piece = try body.read() else { break }
                    give(piece)
                }
                report(.end)
            } catch {
                report(.failed(error))
            }
        }

        private func read(_ body: HTTPBody.Reader) async {
            do throws(RequestBodyError) {
                while true {
                    let room = OneShot<Void>()
                    if mustWait(then: { room.fulfil(()) }) { await room.wait() }
                    if isStopped { return }
                    guard let piece = try await body.next() else { break }
                    give(piece)
                }
                report(.end)
            } catch {
                report(.failed(error))
            }
        }

        private var isStopped: Bool { state.withLock { $0.isStopped } }

        /// Returns whether there is no room for another piece; in that case the function is called when there is,
        /// or when reading stops.
        private func mustWait(then goOn: @escaping @Sendable () -> Void) -> Bool {
            state.withLock { state in
                guard !state.isStopped, state.unsent >= Self.limit else { return false }
                state.goOn = goOn
                return true
            }
        }

        private func give(_ piece: Data) {
            state.withLock { $0.unsent += piece.count }
            let bytes = ByteBuffer(data: piece)
            report(.piece(bytes, sent: { self.left(bytes.readableBytes) }))
        }

        private func report(_ event: Event) {
            loop.execute {
                let tell = self.state.withLock { $0.tell }
                tell?(event)
            }
        }

        private func left(_ count: Int) {
            let goOn = state.withLock { state -> (@Sendable () -> Void)? in
                state.unsent -= count
                guard state.unsent < Self.limit else { return nil }
                defer { state.goOn = nil }
                return state.goOn
            }
            goOn?()
        }
    }
#endif
