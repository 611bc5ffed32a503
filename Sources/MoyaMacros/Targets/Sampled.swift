#if Macros
    import Foundation

    /// A type that has a sample of itself, for stubs of endpoints that answer with it.
    ///
    ///     extension User: Sampled {
    ///         static var sample: User { User(login: "octocat", id: 1) }
    ///     }
    ///
    /// A stub takes it from any thread. In a module with default isolation to the main actor, write `nonisolated struct`.
    public protocol Sampled: Encodable, SendableMetatype {
        /// A value such as a server might answer with.
        static var sample: Self { get }
    }

    extension Array: Sampled where Element: Sampled {
        /// One sample of the element.
        public static var sample: [Element] { [Element.sample] }
    }

    /// What stubs answer with.
    public enum SampleData {
        /// A text as it is.
        public static func of(_ text: String) -> Data { Data(text.utf8) }

        /// A value as JSON; nothing if it can't be encoded.
        public static func of(_ value: some Encodable) -> Data { (try? JSONEncoder().encode(value)) ?? Data() }

        /// Nothing, since the type has no sample.
        public static func of<Value>(_ type: Value.Type, at keyPath: String? = nil) -> Data { Data() }

        /// A type's sample as JSON; nothing if it can't be encoded.
        ///
        /// - Parameter keyPath: The names of objects that it is nested in, separated by dots.
        public static func of<Value: Sampled>(_ type: Value.Type, at keyPath: String? = nil) -> Data {
            let sample = of(Value.sample)
            return keyPath.flatMap { try? JSONKeyPath($0).nesting(sample) } ?? sample
        }
    }
#endif
