#if NIO && !canImport(Darwin)
import MoyaLocks
import NIOCore
import NIOPosix
import NIOSSL

/// A listening port that serves one case at a time.
final class FuzzSlot: Sendable {
    private struct State {
        var plan: FuzzPlan?
        var requestCount = 0
        var connections: [ObjectIdentifier: any Channel] = [:]
    }

    private let mode: FuzzMode
    private let state = Locked(State())
    private let listener = Locked<(any Channel)?>(nil)

    /// Starts to listen.
    init(_ mode: FuzzMode, tls: NIOSSLContext?) async throws {
        self.mode = mode
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 64)
            .childChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { [weak self] channel in
                channel.eventLoop.makeCompletedFuture { try self?.accept(channel, tls) }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        listener.withLock { $0 = channel }
    }

    var port: Int { listener.withLock { $0?.localAddress?.port ?? 0 } }

    func begin(_ plan: FuzzPlan) {
        state.withLock {
            $0.plan = plan
            $0.requestCount = 0
        }
    }

    /// Closes the connections that the case has left open, so that they do not affect the next one.
    func end() {
        let connections = state.withLock { state in
            state.plan = nil
            defer { state.connections = [:] }
            return state.connections.values
        }
        for channel in connections { channel.triggerUserOutboundEvent(RecordGate.Close.now, promise: nil) }
    }

    func shutDown() async {
        end()
        let channel = listener.withLock { $0 }
        try? await channel?.close()
    }

    /// Counts a request; returns its number, or `nil` after the end of the case.
    func countRequest() -> Int? {
        state.withLock { state in
            guard state.plan != nil else { return nil }
            defer { state.requestCount += 1 }
            return state.requestCount
        }
    }

    private func accept(_ channel: any Channel, _ tls: NIOSSLContext?) throws {
        let id = ObjectIdentifier(channel)
        let plan = state.withLock { state in
            if state.plan != nil { state.connections[id] = channel }
            return state.plan
        }
        guard let plan else { return channel.close(promise: nil) }
        channel.closeFuture.whenComplete { [weak self] _ in
            self?.state.withLock { _ = $0.connections.removeValue(forKey: id) }
        }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(RecordGate(plan.recordFault))
        if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
        try pipeline.addHandler(FuzzConnection(mode, plan, self))
    }
}
#endif
