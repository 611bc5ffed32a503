#if Macros
    import Foundation

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
        public static func of(_ text: String) -> Data { Data(text.utf8) }

        /// Returns a value as JSON; empty if it cannot be encoded.
        public static func of(_ value: some Encodable) -> Data { (try? JSONEncoder().encode(value)) ?? Data() }

        /// Returns empty data, as the type has no sample.
        public static func of<Value>(_ type: Value.Type, at keyPath: String? = nil) -> Data { Data() }

        /// Returns a type's sample as JSON; empty if it cannot be encoded.
        ///
        /// - Parameters:
        ///   - type: The type.
        ///   - keyPath: The names of the objects in which the sample is nested, separated by dots.
        /// - Returns: The body.
        public static func of<Value: Sampled>(_ type: Value.Type, at keyPath: String? = nil) -> Data {
            let sample = of(Value.sample)
            return keyPath.flatMap { try? JSONKeyPath($0).nesting(sample) } ?? sample
        }
    }
#endif
