#if NIO && !canImport(Darwin)
import Foundation
import NIOCore
import NIOSSL

/// A cache of TLS contexts of one transport.
///
/// Creating a context reads the system's root certificates, which takes milliseconds and megabytes. Connections that need the same
/// context at the same time share its creation.
final class TLSContexts: Sendable {
    /// The values on which the contexts of a transport differ.
    ///
    /// Configurations are not compared: NIOSSL compares bytes of them that have no value.
    struct Key: Equatable, Sendable {
        let requirements: TLSRequirements
        let protocols: OfferedProtocols

        init(_ requirements: TLSRequirements, _ protocols: OfferedProtocols) {
            (self.requirements, self.protocols) = (requirements, protocols)
        }
    }

    private enum Context: Sendable {
        case creating(waiters: [EventLoopPromise<NIOSSLContext>])
        case created(NIOSSLContext)
    }

    private enum Step: Sendable {
        case use(NIOSSLContext)
        case create
        case wait
    }

    /// The maximum number of contexts; most hosts share one.
    private static let maximumContexts = 8

    private let create: @Sendable (TLSConfiguration) throws -> NIOSSLContext
    private let contexts = Locked<[(key: Key, context: Context)]>([])

    /// Creates a cache; tests replace the function that creates a context.
    init(
        create: @escaping @Sendable (TLSConfiguration) throws -> NIOSSLContext = {
            try NIOSSLContext(configuration: $0)
        }
    ) {
        self.create = create
    }

    /// Returns the context for a key, which is created of the configuration on another thread if it does not exist.
    func context(
        for key: Key,
        _ configuration: TLSConfiguration,
        on loop: any EventLoop
    ) -> EventLoopFuture<NIOSSLContext> {
        let promise = loop.makePromise(of: NIOSSLContext.self)
        switch step(for: key, promise) {
        case .use(let context): promise.succeed(context)
        case .wait: break
        case .create:
            DispatchQueue.global().async {
                self.finish(key, Result { try self.create(configuration) })
            }
        }
        return promise.futureResult
    }

    private func step(for key: Key, _ promise: EventLoopPromise<NIOSSLContext>) -> Step {
        contexts.withLock { contexts in
            guard let index = contexts.firstIndex(where: { $0.key == key }) else {
                contexts.append((key, .creating(waiters: [promise])))
                return .create
            }
            switch contexts[index].context {
            case .created(let context): return .use(context)
            case .creating(let waiters):
                contexts[index].context = .creating(waiters: waiters + [promise])
                return .wait
            }
        }
    }

    /// Stores a created context, or drops a failed creation, so that the next connection repeats it.
    private func finish(_ key: Key, _ result: Result<NIOSSLContext, any Error>) {
        let waiters = contexts.withLock { contexts -> [EventLoopPromise<NIOSSLContext>] in
            guard let index = contexts.firstIndex(where: { $0.key == key }),
                case .creating(let waiters) = contexts.remove(at: index).context
            else { return [] }
            guard case .success(let context) = result else { return waiters }
            // A context that is being created has waiters, so it stays.
            let oldest = contexts.firstIndex { if case .created = $0.context { true } else { false } }
            if contexts.count >= Self.maximumContexts, let oldest { contexts.remove(at: oldest) }
            contexts.append((key, .created(context)))
            return waiters
        }
        for waiter in waiters { waiter.completeWith(result) }
    }
}
#endif
