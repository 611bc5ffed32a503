#if Macros
    import Foundation

    /// A JSON object with an endpoint's parameters, in which `nil` values are omitted.
    public struct JSONMembers: Encodable, Sendable {
        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        private var members: [(key: Key, value: any Encodable & Sendable)] = []

        /// Creates an empty object.
        public init() {}

        /// Returns the object with an additional member.
        public func adding(_ name: String, _ value: some Encodable & Sendable) -> JSONMembers {
            var object = self
            object.members.append((Key(stringValue: name), value))
            return object
        }

        /// Returns the object with an additional member, unless its value is `nil`.
        public func adding(_ name: String, _ value: (some Encodable & Sendable)?) -> JSONMembers {
            guard let value else { return self }
            return adding(name, value)
        }

        /// Encodes the object.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for member in members { try container.encode(member.value, forKey: member.key) }
        }
    }
#endif
