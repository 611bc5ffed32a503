#if NIO && !canImport(Darwin)
import NIOCore

/// The observers of a pool's connections, and the last report to them.
struct ConnectionReports: Sendable {
    private static let poolCount = Locked(0)

    var observers: [any ConnectionObserver] = []
    /// The number of the pool in the process.
    fileprivate let pool = Self.poolCount.withLock { count in
        count += 1
        return count
    }
    fileprivate var number = 0
    fileprivate var http1 = ConnectionCounts.States()
    fileprivate var http2 = ConnectionCounts.States()
}

// The reports about the connections of a pool, and its state for health checks.
extension ConnectionPool {
    /// Adds an observer, and reports the connections.
    func addObserver(_ observer: any ConnectionObserver) {
        let report = state.withLock { state -> Effect in
            state.reports.observers.append(observer)
            (state.reports.http1, state.reports.http2) = state.machine.connectionStates
            return .report(makeReport(in: &state), to: state.reports.observers)
        }
        perform(report)
    }

    /// Adds an effect that reports the number of connections, if it has changed and somebody observes it.
    @inline(__always)
    func appendReport(to effects: inout [Effect], in state: inout State) {
        guard !state.reports.observers.isEmpty else { return }
        appendChange(to: &effects, in: &state)
    }

    @inline(never)
    private func appendChange(to effects: inout [Effect], in state: inout State) {
        let (http1, http2) = state.machine.connectionStates
        guard http1 != state.reports.http1 || http2 != state.reports.http2 else { return }
        (state.reports.http1, state.reports.http2) = (http1, http2)
        effects.append(.report(makeReport(in: &state), to: state.reports.observers))
    }

    private func makeReport(in state: inout State) -> ConnectionCounts {
        state.reports.number += 1
        return ConnectionCounts(
            server: connector.origin,
            pool: state.reports.pool,
            number: state.reports.number,
            http1: state.reports.http1,
            http2: state.reports.http2
        )
    }

    /// Reports that the pool has no connections any more, because it is shut down.
    func reportEnd() {
        let report = state.withLock { state -> (ConnectionCounts, [any ConnectionObserver])? in
            guard !state.reports.observers.isEmpty else { return nil }
            (state.reports.http1, state.reports.http2) = (.init(), .init())
            return (makeReport(in: &state), state.reports.observers)
        }
        if let (counts, observers) = report { perform(.report(counts, to: observers)) }
    }

    /// Reports the end of a connection that has just been opened, when it is closed.
    func observeEnd(of connected: Connector.Connected) {
        let observers = state.withLock { $0.reports.observers }
        guard !observers.isEmpty else { return }
        let opened = NIODeadline.now()
        let connection = ObservedConnection(server: connector.origin, isHTTP2: connected.isHTTP2)
        connected.channel.closeFuture.whenComplete { _ in
            let age = Duration.nanoseconds((NIODeadline.now() - opened).nanoseconds)
            for observer in observers { observer.connectionClosed(connection, after: age) }
        }
    }

    /// The state of the connections and the waiting requests.
    var serverStatus: TransportStatus.Server {
        let origin = connector.origin
        return state.withLock { state in
            let (http1, http2) = state.machine.connectionStates
            return TransportStatus.Server(
                scheme: origin.scheme,
                host: origin.host,
                port: origin.port,
                activeConnections: http1.active + http2.active,
                idleConnections: http1.idle + http2.idle,
                connectAttempts: state.machine.connectAttempts.count,
                waitingRequests: state.machine.waitingCount
            )
        }
    }
}

extension ConnectionPoolStateMachine {
    /// The number of open connections with and without a request.
    fileprivate var connectionStates: (http1: ConnectionCounts.States, http2: ConnectionCounts.States) {
        let (active, idle) = http2.countsByUse
        return (.init(active: http1.count - http1.idleCount, idle: http1.idleCount), .init(active: active, idle: idle))
    }
}
#endif
