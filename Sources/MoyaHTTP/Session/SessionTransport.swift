import Foundation

/// The transport of a session: the application's, or one that is created when it is first needed.
final class SessionTransport: Sendable {
    private enum Source: Sendable {
        case given(any HTTPTransport)
        case created(by: @Sendable () -> any HTTPTransport, LazyValue<any HTTPTransport>)
    }

    private let source: Source
    /// Whether the transport ends its exchanges when their exchange timeouts are over: ``TimedTransport``.
    let isTimed: Bool

    init(_ transport: any HTTPTransport, observedBy observers: [any ConnectionObserver] = []) {
        source = .given(transport)
        transport.addConnectionObservers(observers)
        isTimed = transport is any TimedTransport
    }

    /// Creates the transport of a session that has got none, which is one of this package.
    init(
        observedBy observers: [any ConnectionObserver] = [],
        creating create: @escaping @Sendable () -> any HTTPTransport
    ) {
        let createObserved: @Sendable () -> any HTTPTransport = {
            let transport = create()
            transport.addConnectionObservers(observers)
            return transport
        }
        source = .created(by: observers.isEmpty ? create : createObserved, LazyValue())
        isTimed = true
    }

    /// The transport, if it has been created.
    var current: (any HTTPTransport)? {
        switch source {
        case .given(let transport): transport
        case .created(_, let transport): transport.current
        }
    }

    /// The transport, which is created if there is none yet.
    var value: any HTTPTransport {
        switch source {
        case .given(let transport): transport
        case .created(let create, let transport): transport.value(creating: create)
        }
    }
}

/// A replacement for a transport that could not be created: every request fails with the error of its creation.
struct RefusingTransport: HTTPTransport {
    let error: TransportConfigurationError

    func send(_ request: TransportRequest) async throws -> TransportResponse { throw error }

    func preconnect(to url: URL, connections: Int) async throws { throw error }

    func shutdown() async {}
}

extension HTTPTransport {
    /// Adds observers, if the transport reports its connections.
    fileprivate func addConnectionObservers(_ observers: [any ConnectionObserver]) {
        guard !observers.isEmpty, let transport = self as? any ObservableTransport else { return }
        for observer in observers { transport.addConnectionObserver(observer) }
    }
}
