/// The description of an API, without the differences between the versions of OpenAPI.
package struct Document: Sendable {
    package var title = ""
    package var version = ""
    package var summary: String?
    package var description: String?
    package var servers: [Server] = []
    package var tags: [Tag] = []
    package var operations: [Operation] = []
    /// The schemas that references name.
    package var schemas: [SchemaID: Schema] = [:]
    /// The named schemas of the document, in order.
    package var namedSchemas: [SchemaID] = []
    package var securitySchemes: [SecurityScheme] = []
    package var location: SourceLocation

    package init(location: SourceLocation) { self.location = location }
}

package struct Tag: Sendable {
    package var name: String
    package var description: String?
}

/// The URL of a server, with variables in braces.
package struct Server: Sendable, Equatable {
    package struct Variable: Sendable, Equatable {
        package var name: String
        package var values: [String]
        package var defaultValue: String
        package var description: String?
    }

    package var url: String
    package var description: String?
    package var name: String?
    package var variables: [Variable] = []
    package var location: SourceLocation

    package static func == (lhs: Server, rhs: Server) -> Bool {
        (lhs.url, lhs.variables) == (rhs.url, rhs.variables)
    }
}

/// One method of one path.
package struct Operation: Sendable {
    package var id: String?
    package var method: String
    package var path: String
    package var tags: [String] = []
    package var summary: String?
    package var description: String?
    package var isDeprecated = false
    package var parameters: [Parameter] = []
    package var body: RequestBody?
    package var responses: [Response] = []
    /// The alternatives of security schemes; empty for none.
    package var security: [SecurityRequirement] = []
    /// The servers of the operation or its path; `nil` for those of the document.
    package var servers: [Server]?
    package var pagination: PaginationHint?
    package var isIdempotent = false
    package var retry: RetryHint?
    package var location: SourceLocation
}

/// A parameter in the path, the query, a header or a cookie.
package struct Parameter: Sendable {
    package enum Place: String, Sendable {
        case path, query, header, cookie
        /// The whole query, of OpenAPI 3.2.
        case querystring
    }

    package enum Style: String, Sendable {
        case simple, label, matrix, form, spaceDelimited, pipeDelimited, deepObject, cookie
    }

    package var name: String
    package var place: Place
    package var description: String?
    package var isRequired = false
    package var isDeprecated = false
    package var style: Style
    package var isExploded: Bool
    package var schema: Schema?
    /// The media type of the value, if a media type describes it.
    package var mediaType: String?
    package var location: SourceLocation
}

package struct RequestBody: Sendable {
    package var description: String?
    package var isRequired: Bool
    package var contents: [MediaType]
    package var location: SourceLocation
}

/// The schema of a body with a content type.
package struct MediaType: Sendable {
    package struct Encoding: Sendable {
        package var contentType: String?
        package var style: Parameter.Style?
        package var isExploded: Bool?
    }

    package var name: String
    package var schema: Schema?
    /// The schema of each element of a stream, of OpenAPI 3.2.
    package var itemSchema: Schema?
    package var encodings: [String: Encoding] = [:]
    package var examples: [Node] = []
    package var location: SourceLocation
}

package struct Response: Sendable {
    /// The statuses that a response describes.
    package enum Statuses: Hashable, Sendable {
        case code(Int)
        /// The statuses of a class, such as 4 for 400 to 499.
        case range(Int)
        case any

        /// Whether all of the statuses are successful.
        package var isSuccess: Bool {
            switch self {
            case .code(let code): (200...299).contains(code)
            case .range(let digit): digit == 2
            case .any: false
            }
        }

        /// Whether some of the statuses are errors.
        package var isFailure: Bool {
            switch self {
            case .code(let code): code >= 400
            case .range(let digit): digit >= 4
            case .any: true
            }
        }
    }

    package var statuses: Statuses
    package var description: String?
    package var contents: [MediaType]
    package var headers: [String]
    package var location: SourceLocation
}

/// The names of the security schemes that a request needs together.
package struct SecurityRequirement: Sendable, Hashable {
    package var schemes: [String]
}

package struct SecurityScheme: Sendable {
    package enum Kind: Sendable, Equatable {
        case http(scheme: String, bearerFormat: String?)
        case apiKey(name: String, place: Parameter.Place)
        case oauth2([OAuthFlow])
        case openIDConnect(url: String)
        case mutualTLS
    }

    package var name: String
    package var description: String?
    package var kind: Kind
    package var location: SourceLocation
}

package struct OAuthFlow: Sendable, Equatable {
    package var name: String
    package var authorizationURL: String?
    package var tokenURL: String?
    package var scopes: [String]
}

/// The retries that a document asks for.
package enum RetryHint: Sendable, Hashable {
    case never
    /// The statuses after which a request is repeated (empty for the usual ones), and limits in seconds.
    case backoff(statuses: [Int], maximumDelay: Int?, retryPeriod: Int?)
}

/// The way in which an operation divides its list into pages.
package enum PaginationHint: Sendable, Equatable {
    case link
    case nextURL(at: String)
    case cursor(at: String, query: String, hasMore: String?)
    case pageNumbers(query: String)
    case offsets(query: String)
}
