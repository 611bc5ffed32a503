#if Macros
import Foundation
import MoyaHTTP
import MoyaJSON

/// The state of a mock: its handlers and the calls that it received.
public final class MockState<Call: Sendable, Handlers: Sendable>: Sendable {
    private let state: Locked<State>

    private struct State: Sendable {
        var handlers: Handlers
        var calls: [Call] = []
    }

    /// Creates the state of a mock without calls.
    public init(_ handlers: Handlers) { state = Locked(State(handlers: handlers)) }

    /// The handlers.
    public var handlers: Handlers {
        get { state.withLock { $0.handlers } }
        set { state.withLock { $0.handlers = newValue } }
    }

    /// The calls in order.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// Records a call, and returns its handler.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - handler: Returns the handler for the call.
    ///   - method: The method's name, for the error.
    /// - Returns: The handler.
    /// - Throws: ``MoyaError/underlying(_:_:)`` with ``UnhandledCall`` if there is no handler.
    public func handler<Handler>(
        to call: Call,
        _ handler: (Handlers) -> Handler?,
        named method: StaticString
    ) throws(MoyaError) -> Handler {
        let handlers = state.withLock { state in
            state.calls.append(call)
            return state.handlers
        }
        guard let handler = handler(handlers) else { throw .underlying(UnhandledCall(method: "\(method)"), nil) }
        return handler
    }
}

/// The error for a call of a mock without a handler.
public struct UnhandledCall: Error, Equatable, MaskedError {
    /// The method's name.
    public let method: String

    /// Creates an error.
    public init(method: String) { self.method = method }

    /// The missing handler, and how to set it.
    public var errorDescription: String? {
        "The mock has no handler for \(method): set one, as in `mock.handlers.\(method) = { … }`."
    }
}

/// A type with a sample value, for stubs of endpoints that return it.
///
///     extension User: Sampled {
///         static var sample: User { User(login: "octocat", id: 1) }
///     }
///
/// Stubs read it on any thread. In a module with default isolation to the main actor, write `nonisolated struct`.
public protocol Sampled: Encodable, SendableMetatype {
    /// A value that a server might return.
    static var sample: Self { get }
}

extension Array: Sampled where Element: Sampled {
    /// An array of one sample element.
    public static var sample: [Element] { [Element.sample] }
}

/// Functions that create the bodies of stubs.
public enum SampleData {
    /// Returns a text unchanged.
    public static func of(_ text: String, encoder: (any RequestEncoder)? = nil) -> Data { Data(text.utf8) }

    /// Returns an encoded value; empty if it cannot be encoded.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - encoder: The encoder of the method or of the API; `nil` for a `JSONEncoder` with default settings.
    /// - Returns: The body.
    public static func of(_ value: some Encodable, encoder: (any RequestEncoder)? = nil) -> Data {
        let encoder: any RequestEncoder = if let encoder { encoder } else { JSONEncoder() }
        return (try? encoder.encode(value)) ?? Data()
    }

    /// Returns empty data, as the type has no sample.
    public static func of<Value>(
        _ type: Value.Type,
        at keyPath: String? = nil,
        encoder: (any RequestEncoder)? = nil
    ) -> Data { Data() }

    /// Returns a type's encoded sample; empty if it cannot be encoded.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - keyPath: The names of the objects in which the sample is nested, separated by dots.
    ///   - encoder: The encoder of the method or of the API; `nil` for a `JSONEncoder` with default settings.
    /// - Returns: The body.
    public static func of<Value: Sampled>(
        _ type: Value.Type,
        at keyPath: String? = nil,
        encoder: (any RequestEncoder)? = nil
    ) -> Data {
        let sample = of(Value.sample, encoder: encoder)
        return keyPath.flatMap { try? JSONKeyPath($0).nesting(sample) } ?? sample
    }
}
#endif
