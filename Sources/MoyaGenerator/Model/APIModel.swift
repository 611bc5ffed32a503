/// The code of an API, before it is text.
package struct APIModel: Sendable {
    package var name: String
    package var title: String
    package var documentation = Documentation()
    package var baseURL: String
    package var servers: [Server] = []
    package var services: [Service] = []
    package var declarations: [TypeDeclaration] = []
    package var security: [SecurityScheme] = []
    package var configuration: Configuration
    /// Whether most names in queries and forms are in snake case.
    package var hasSnakeCase = false
}

/// The operations of a tag, which are a protocol or an enumeration.
package struct Service: Sendable {
    package var name: String
    package var documentation: Documentation
    /// The URL of another server than that of the API.
    package var baseURL: String?
    package var methods: [APIMethod] = []
}

/// An operation as a method or a case.
package struct APIMethod: Sendable {
    package enum PathPiece: Sendable, Equatable {
        case text(String)
        /// The name of a parameter.
        case parameter(String)
    }

    package var name: String
    package var documentation: Documentation
    package var isDeprecated: Bool
    /// The method of HTTP.
    package var method: String
    package var path: [PathPiece]
    package var parameters: [APIParameter] = []
    package var body: APIBody?
    package var result = APIResult.nothing
    /// Whether a response may have no body.
    package var resultIsOptional = false
    /// The responses without a body, for which the result is `nil`.
    package var emptyResponses: [EmptyResponse] = []
    /// Whether the value is returned with the headers of its response.
    package var resultHasHeaders = false
    /// The media type of the response, if the operation has several.
    package var accept: String?
    package var idempotency: Idempotency?
    package var retry: RetryHint?
    /// The types of error bodies, from the most specific statuses to all others.
    package var errors: [StatusError] = []
    package var authorization: Authorization = .none
    /// The URL of another server than that of the API.
    package var baseURL: String?
    package var pagination: PagedResult?
    /// Whether the elements of arrays in the query or the form have names with brackets.
    package var hasBrackets = false
    /// The example of a successful response.
    package var sample: Node?
    package var location: SourceLocation

    /// The form of the key by which the server recognizes a request that it gets again.
    package enum Idempotency: Sendable, Hashable {
        case quoted, bare
    }

    /// The scheme of the token that a request needs.
    package enum Authorization: Sendable, Hashable {
        case none, bearer, basic
        case custom(String)
    }
}

/// A successful response without a body.
package struct EmptyResponse: Sendable {
    package var statuses: Response.Statuses
    package var description: String?
}

/// The items of a result that is a list in pages.
package struct PagedResult: Sendable, Equatable {
    package var pagination: PaginationHint
    package var itemType: TypeReference
    package var keyPath: String?
}

package struct APIParameter: Sendable {
    package enum Place: Sendable, Equatable {
        case path, query, header, cookie, field, part
    }

    package var wireName: String
    package var name: String
    package var place: Place
    package var type: TypeReference
    package var documentation: String?
    /// The literal of the value that a call may omit.
    package var defaultValue: String?
    /// The text of the default that the server assumes.
    package var serverDefault: String?
    package var isDeprecated = false
    /// The texts around the value in the path, by its style.
    package var pathPrefix = ""
    /// Whether the members of the value are items of the query.
    package var isMap = false
    /// Whether the elements of arrays in the value have names with brackets.
    package var hasBrackets = false
    /// Whether the value is the file or the bytes of a part.
    package var isFile = false
}

package struct APIBody: Sendable {
    package enum Kind: Sendable, Equatable {
        case json
        case form
        /// Bytes, or the file at a URL.
        case binary
        /// Text as bytes.
        case text
    }

    package var kind: Kind
    package var type: TypeReference
    package var contentType: String
    package var isRequired: Bool
    package var name = "body"
    package var documentation: String?
}

package enum APIResult: Sendable, Hashable {
    case nothing
    case value(TypeReference)
    case text
    case data
    /// An enumeration with a case for each status.
    case byStatus(DeclarationID)
    /// Server-sent events, with the type of their data, and the data of an event that ends them.
    case events(TypeReference?, end: String?)
    /// Lines of JSON, with their type.
    case lines(TypeReference?)
}
