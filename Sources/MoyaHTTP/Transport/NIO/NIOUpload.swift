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
            /// Waits for room.
            var waiter: OneShot<Void>?
            var isStopped = false
        }

        /// So many bytes may be on their way before reading waits.
        private static let limit = 256 * 1024

        private let state = Locked(State())
        private let task: Locked<Task<Void, Never>?> = Locked(nil)

        /// Begins to read.
        ///
        /// - Parameter tell: Called on the event loop.
        init(_ body: HTTPBody.Reader, on loop: any EventLoop, tell: @escaping @Sendable (Event) -> Void) {
            let task = Task { [weak self] in
                do throws(RequestBodyError) {
                    while let piece = try await body.next() {
                        guard let self, await self.hasRoom(for: piece.count) else { return }
                        let bytes = ByteBuffer(data: piece)
                        loop.execute { tell(.piece(bytes, sent: { self.left(piece.count) })) }
                    }
                    loop.execute { tell(.end) }
                } catch {
                    loop.execute { tell(.failed(error)) }
                }
            }
            self.task.withLock { $0 = task }
        }

        /// Stops reading. A piece that is being read may take its time; nobody waits for it.
        func stop() {
            let waiter = state.withLock { state in
                state.isStopped = true
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.fulfil(())
            task.withLock { $0 }?.cancel()
        }

        /// Waits until a piece may go. False where it needs not go any more.
        private func hasRoom(for count: Int) async -> Bool {
            let waiter = OneShot<Void>()
            let mustWait = state.withLock { state in
                guard !state.isStopped, state.unsent >= Self.limit else { return false }
                state.waiter = waiter
                return true
            }
            if mustWait { await waiter.wait() }
            return state.withLock { state in
                state.unsent += count
                return !state.isStopped
            }
        }

        private func left(_ count: Int) {
            let waiter = state.withLock { state -> OneShot<Void>? in
                state.unsent -= count
                guard state.unsent < Self.limit else { return nil }
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.fulfil(())
        }
    }
#endif
