import Foundation

/// The errors of a GraphQL response, which may have the status 200.
///
///     let user = try await provider.request(.viewer).mapGraphQL(User.self, atKeyPath: "viewer")
///
/// A `GraphQLTargetType` throws them by itself.
public struct GraphQLErrors: Decodable, Error, Equatable, Sendable {
    /// One error.
    public struct Item: Decodable, Equatable, Sendable {
        /// A place in the query.
        public struct Location: Decodable, Equatable, Sendable {
            /// The line, from 1.
            public let line: Int
            /// The column, from 1.
            public let column: Int
        }

        /// The text for developers.
        public let message: String
        /// The places in the query.
        public let locations: [Location]?
        /// The names and the indices that lead to the field in the response that has no value.
        public let path: [String]?
        /// Information that the standard does not define, such as a code.
        public let extensions: ExtensionMembers?

        private enum CodingKeys: CodingKey { case message, locations, path, extensions }

        /// Decodes an error, and ignores optional members with a value of a wrong type.
        ///
        /// - Throws: `DecodingError` for an error without a message.
        public init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            message = try container.decode(String.self, forKey: .message)
            locations = try? container.decode([Location].self, forKey: .locations)
            path = (try? container.decode([PathElement].self, forKey: .path))?.map(\.text)
            extensions = try? container.decode(ExtensionMembers.self, forKey: .extensions)
        }
    }

    /// A name or an index.
    private struct PathElement: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            text = try (try? value.decode(Int.self)).map { "\($0)" } ?? value.decode(String.self)
        }
    }

    /// The errors; at least one.
    public let errors: [Item]

    private enum CodingKeys: CodingKey { case errors }

    /// Decodes a response with errors.
    ///
    /// - Throws: `DecodingError` for a response without an error.
    public init(from decoder: any Decoder) throws {
        errors = try decoder.container(keyedBy: CodingKeys.self).decodeErrors([Item].self, forKey: .errors)
    }
}

extension GraphQLErrors: MaskedError {
    /// The messages of the errors.
    public var errorDescription: String? { errors.map(\.message).joined(separator: "; ") }
}

extension Response {
    /// Returns the data of a GraphQL response, or throws its errors.
    ///
    /// A response with errors may have a part of the data, which `map(_:atKeyPath:)` decodes at `data`.
    ///
    /// - Parameters:
    ///   - type: The type of the data.
    ///   - keyPath: The location in the data: names separated by dots; `nil` for all data.
    ///   - decoder: Decodes the body.
    /// - Returns: The data.
    /// - Throws: ``MoyaError/underlying(_:_:)`` with ``GraphQLErrors`` if the body has errors, whatever the status; otherwise
    ///   the errors of `map(_:atKeyPath:using:failsOnEmptyData:)`.
    public func mapGraphQL<Output: Decodable>(
        _ type: Output.Type = Output.self,
        atKeyPath keyPath: String? = nil,
        using decoder: any ResponseDecoder = JSONDecoder()
    ) throws(MoyaError) -> Output {
        if let errors = try? decoder.decodeBody(GraphQLErrors.self, from: data) { throw .underlying(errors, self) }
        return try output(type, atKeyPath: keyPath.map { "data.\($0)" } ?? "data", using: decoder)
    }
}
