import Foundation

/// The errors of a response after JSON:API.
///
///     try await provider.request(.articles, orThrow: JSONAPIErrors.self)
public struct JSONAPIErrors: Decodable, Error, Equatable, Sendable {
    /// One error.
    public struct Item: Decodable, Equatable, Sendable {
        /// The place of the error in the request.
        public struct Source: Decodable, Equatable, Sendable {
            /// A JSON pointer (RFC 6901) into the body of the request.
            public let pointer: String?
            /// The name of the query item.
            public let parameter: String?
            /// The name of the header.
            public let header: String?
        }

        /// The identifier of this occurrence.
        public let id: String?
        /// The status of the response, as text.
        public let status: String?
        /// The code of the application.
        public let code: String?
        /// A short text about the kind of the error.
        public let title: String?
        /// A text about this occurrence.
        public let detail: String?
        /// The place of the error in the request.
        public let source: Source?
        /// Information that the standard does not define.
        public let meta: ExtensionMembers?
    }

    /// The errors; at least one.
    public let errors: [Item]

    private enum CodingKeys: CodingKey { case errors }

    /// Decodes a document with errors.
    ///
    /// - Throws: `DecodingError` for a document without an error.
    public init(from decoder: any Decoder) throws {
        errors = try decoder.container(keyedBy: CodingKeys.self).decodeErrors([Item].self, forKey: .errors)
    }
}

extension JSONAPIErrors: MaskedError {
    /// The titles and details of the errors.
    public var errorDescription: String? {
        errors.map { [$0.title, $0.detail].compactMap { $0 }.joined(separator: ": ") }.filter { !$0.isEmpty }
            .joined(separator: "; ")
    }
}

extension KeyedDecodingContainer {
    /// Decodes a list of errors.
    ///
    /// - Throws: `DecodingError` if the list is missing or empty.
    func decodeErrors<Item: Decodable>(_ type: [Item].Type, forKey key: Key) throws -> [Item] {
        let errors = try decode(type, forKey: key)
        guard !errors.isEmpty else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "There is no error.")
        }
        return errors
    }
}
