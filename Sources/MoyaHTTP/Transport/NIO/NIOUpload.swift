#if AsyncHTTPClient && !canImport(Darwin)
    import Foundation
    import NIOCore
    import NIOFoundationCompat

    /// Reads a body and hands it to an event loop, piece by piece: the next ones are read while some are on their way.
    final class NIOUpload: Sendable {
        enum Event: Sendable {
            /// Send it; call the function when it has left, or never will.
            case piece(ByteBuffer, sent: @Sendable () -> Void)
            /// That was all.
            case end
            case failed(RequestBodyError)
        }

        private struct State: Sendable {
            /// How many bytes are on their way.
            var unsent = 0
            /// Reads on; there once reading waits for room.
            var goOn: (@Sendable () -> Void)?
            var task: Task<Void, Never>?
            /// Let go of when reading stops: a read that never returns keeps the upload.
            var tell: (@Sendable (Event) -> Void)?

            var isStopped: Bool { tell == nil }
        }

        /// So many bytes may be on their way before reading waits.
        private static let limit = 256 * 1024

        private let loop: any EventLoop
        private let state: Locked<State>

        /// Begins to read.
        ///
        /// What blocks is read on a thread of its own, and what doesn't, too: a body that waits for its turn in Swift's pool
        /// would be idle, and its request over, where the pool is busy. Async sequences have no choice.
        ///
        /// - Parameter tell: Called on the event loop.
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

        /// Stops reading. A piece that is being read may take its time; nobody waits for it.
        func stop() {
            let (goOn, task, tell) = state.withLock { state in
                defer { (state.goOn, state.tell) = (nil, nil) }
                return (state.goOn, state.task, state.tell)
            }
            task?.cancel()
            // It sees that it is over.
            goOn?()
            // What it holds may go here, and not under the lock.
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

        /// Whether there is no room for another piece; then the function is called when there is, or when it is over.
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
