#if NIO && !canImport(Darwin)
import Foundation
import NIOCore

// The objects of a pool, for which its state machine has numbers.
extension ConnectionPool {
    /// An open connection.
    // An object, because the pool and its effects copy it for each request.
    final class OpenConnection: Sendable {
        let bound: NIOLoopBound<any HTTPConnection>
        let loop: any EventLoop
        /// Completes when the channel is closed.
        let closeFuture: EventLoopFuture<Void>
        /// The place in the transport's idle connections.
        let place: IdleConnections<ConnectionPoolTable.Connection>.Place

        init(
            bound: NIOLoopBound<any HTTPConnection>,
            loop: any EventLoop,
            closeFuture: EventLoopFuture<Void>,
            place: IdleConnections<ConnectionPoolTable.Connection>.Place
        ) {
            (self.bound, self.loop, self.closeFuture, self.place) = (bound, loop, closeFuture, place)
        }

        /// Sends a request on the event loop of the connection, immediately if that is the current one.
        func run(_ request: OutboundRequest) {
            if loop.inEventLoop { bound.value.run(request) } else { runLater(request) }
        }

        /// Sends a request on the event loop of the connection, after the current event.
        func runLater(_ request: OutboundRequest) { loop.execute { [bound] in bound.value.run(request) } }

        /// Calls a function on the event loop of the connection, immediately if that is the current one.
        func runOnLoop(_ body: @escaping @Sendable (any HTTPConnection) -> Void) {
            loop.runOnLoop { [bound] in body(bound.value) }
        }
    }

    /// A connect attempt: the objects of a ``ConnectAttempts/Attempt``.
    struct RunningConnectAttempt: Sendable {
        let loop: any EventLoop
        /// Cancels the connect attempt; `nil` before it begins.
        ///
        /// It must be called on the event loop.
        var cancel: NIOLoopBound<() -> Void>?
        /// Whether it began once more, because the process had no file descriptors left.
        var isReopened = false
    }

    /// The state of a pool, which its lock protects.
    struct State: Sendable {
        var machine: ConnectionPoolStateMachine
        var loopAssignment: LoopAssignment
        /// The indices of the event loops of connections and connect attempts.
        var loopIndices: [ConnectionID: Int] = [:]
        var waiting: [RequestID: OutboundRequest] = [:]
        var connectAttempts: [ConnectionID: RunningConnectAttempt] = [:]
        var connections: [ConnectionID: OpenConnection] = [:]
        /// The HTTP/1.1 connections that are upgraded to another protocol, which the state machine does not know any more.
        var upgradedConnections: [ConnectionID: OpenConnection] = [:]
        /// The channels that have not been closed, including those that are closing.
        var channels: [ObjectIdentifier: Connector.Connected] = [:]
        var timer: (scheduled: Scheduled<Void>, time: Duration)?
        /// Whether the pool is in the table.
        ///
        /// Requests are accepted only then.
        var isAttached = false
        /// The start of the time without a connection that serves requests; `nil` if there is one.
        var disconnectedSince: Duration? = .zero
        /// Returns the error of a request to a URL after the shutdown; `nil` before.
        var shutdownError: (@Sendable (URL) -> URLError)?
        /// The callers that wait for connections without a request.
        var preconnecting = Preconnecting()
    }
}

extension ConnectionPool.State {
    /// Whether the pool has no connections, connect attempts, requests or waiting callers.
    var isUnused: Bool {
        machine.isUnused && connections.isEmpty && upgradedConnections.isEmpty && channels.isEmpty
            && connectAttempts.isEmpty && waiting.isEmpty
            && preconnecting.isEmpty
    }

    /// Records whether there is a connection that serves requests.
    mutating func recordConnectivity(at now: Duration) {
        if machine.hasConnection {
            disconnectedSince = nil
        } else if disconnectedSince == nil {
            disconnectedSince = now
        }
    }

    /// Returns a function that says whether a connection is on an event loop; `nil` without an event loop.
    func isNear(_ loop: Int?) -> ((ConnectionPoolStateMachine.ConnectionID) -> Bool)? {
        guard let loop else { return nil }
        return { [loopIndices] in loopIndices[$0] == loop }
    }

    /// Frees the place of a connection on its event loop.
    mutating func unassign(_ id: ConnectionPoolStateMachine.ConnectionID) {
        if let index = loopIndices.removeValue(forKey: id) { loopAssignment.remove(from: index) }
    }
}
#endif
