#if Macros
// `import MoyaMacros` includes Foundation and Moya, which the declarations use.
@_exported import Foundation
@_exported import Moya

/// Declares an API by a protocol with a method for each endpoint.
///
///     @API("https://api.github.com")
///     protocol GitHub {
///         @GET("/users/{name}") func user(name: String) async throws -> User
///         @POST("/repos/{owner}/{repo}/issues") @Bearer
///         func createIssue(owner: String, repo: String, issue: Body<NewIssue>) async throws -> Issue
///     }
///
/// For a protocol `GitHub` it generates
///
/// - `GitHubAPI`, an enum that is a ``TargetType`` and `Equatable`, with a case for each method;
/// - `GitHubClient`, which conforms to the protocol over a ``MoyaProvider``;
/// - `GitHubMock`, which conforms to the protocol with handlers that a test sets.
///
/// Overloaded methods have the labels of their parameters in the names of their cases: `user(id:)` becomes
/// `.userId`. If the labels are equal, the types follow: `.userIdInt`, and if the parameters are equal, the result:
/// `.userIdReturningUser`. The handlers of the mock have the same names.
///
/// Calls of the client and the mock can omit a parameter that is optional, or has a ``Default(_:_:)``. Calls of a value
/// of the protocol's type can omit it, too, unless the protocol is nested in another type.
///
/// A parameter that is named in the path is inserted there; one that is marked (``Query``, ``Header``, ``Body``,
/// ``Field``, ``Part``) is sent as marked. All others are query items for GET, HEAD and DELETE; for other methods
/// they are members of a JSON object in the body, fields with ``FormURLEncoded()``, or parts with
/// ``Multipart()``.
///
/// - Parameters:
///   - baseURL: The API's URL: absolute, with the scheme `http` or `https`, checked at compile time.
///   - keys: How names of query items, fields and JSON members are derived from the parameters' names. The properties of
///     values keep the names that they encode.
///   - encoder: Encodes JSON bodies and stubs; `nil` for an encoder with default settings.
///   - decoder: Decodes the responses; `nil` for a `JSONDecoder` with default settings.
///   - isPart: Whether other protocols compose the API with further ones: see ``API()``.
@attached(peer, names: suffixed(API), suffixed(Client), suffixed(Mock), suffixed(Part))
@attached(extension, names: arbitrary)
public macro API(
    _ baseURL: StaticString,
    keys: KeyStyle = .asWritten,
    encoder: JSONEncoder? = nil,
    decoder: (any ResponseDecoder & Sendable)? = nil,
    isPart: Bool = false
) =
    #externalMacro(module: "MoyaMacrosPlugin", type: "APIMacro")

/// Declares an API whose URL is an expression, which is evaluated for each request.
///
/// - Parameters:
///   - baseURL: The API's URL.
///   - keys: How names of query items, fields and JSON members are derived from the parameters' names. The properties of
///     values keep the names that they encode.
///   - encoder: Encodes JSON bodies and stubs; `nil` for an encoder with default settings.
///   - decoder: Decodes the responses; `nil` for a `JSONDecoder` with default settings.
///   - isPart: Whether other protocols compose the API with further ones: see ``API()``.
@attached(peer, names: suffixed(API), suffixed(Client), suffixed(Mock), suffixed(Part))
@attached(extension, names: arbitrary)
public macro API(
    _ baseURL: URL,
    keys: KeyStyle = .asWritten,
    encoder: JSONEncoder? = nil,
    decoder: (any ResponseDecoder & Sendable)? = nil,
    isPart: Bool = false
) =
    #externalMacro(module: "MoyaMacrosPlugin", type: "APIMacro")

/// Composes several APIs: the protocol inherits their methods.
///
///     @API("https://api.github.com", isPart: true) protocol Users { … }
///     @API("https://api.github.com", isPart: true) protocol Repositories { … }
///     @API protocol GitHub: Users, Repositories {}
///
/// `GitHubClient` sends the requests by a `UsersClient` and a `RepositoriesClient`, which share a session and plugins, and are its
/// properties `usersPart` and `repositoriesPart`. `GitHubMock` has the mocks of its parts in such properties. The protocol has no methods
/// of its own.
@attached(peer, names: suffixed(Client), suffixed(Mock))
public macro API() = #externalMacro(module: "MoyaMacrosPlugin", type: "APIMacro")

/// How names in requests are derived from Swift names.
public enum KeyStyle: Sendable {
    /// Names are unchanged.
    case asWritten
    /// Names are in snake case: `perPage` becomes `per_page`.
    case snakeCase
}

/// Requests a path with any HTTP method.
///
///     @HTTP("PURGE", "/cache/{key}") func purge(key: String) async throws
///
/// - Parameters:
///   - method: The HTTP method (RFC 9110, section 9).
///   - path: The path that is appended to the API's URL. It begins with a slash, and contains names of parameters
///     in braces, whose values are escaped so that they cannot change the route. It may have a query with fixed
///     values and parameters: `/search?type=issue&per_page={perPage}`. It is empty for the API's URL itself, and left out
///     if a parameter is the ``RequestURL``.
@attached(peer)
public macro HTTP(_ method: StaticString, _ path: StaticString = "") =
    #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Requests a path with GET.
///
/// - Parameter path: See ``HTTP(_:_:)``.
@attached(peer)
public macro GET(_ path: StaticString = "") = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Requests a path with POST.
///
/// - Parameter path: See ``HTTP(_:_:)``.
@attached(peer)
public macro POST(_ path: StaticString = "") = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Requests a path with PUT.
///
/// - Parameter path: See ``HTTP(_:_:)``.
@attached(peer)
public macro PUT(_ path: StaticString = "") = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Requests a path with PATCH.
///
/// - Parameter path: See ``HTTP(_:_:)``.
@attached(peer)
public macro PATCH(_ path: StaticString = "") = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Requests a path with DELETE.
///
/// - Parameter path: See ``HTTP(_:_:)``.
@attached(peer)
public macro DELETE(_ path: StaticString = "") = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Requests a path with HEAD.
///
/// - Parameter path: See ``HTTP(_:_:)``.
@attached(peer)
public macro HEAD(_ path: StaticString = "") = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Requests a path with OPTIONS.
///
/// - Parameter path: See ``HTTP(_:_:)``.
@attached(peer)
public macro OPTIONS(_ path: StaticString = "") = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Requests a path with QUERY, a safe method with a body (draft-ietf-httpbis-safe-method-w-body).
///
///     @QUERY("/contacts") func contacts(named name: String, limit: Int) async throws -> [Contact]
///
/// Unmarked parameters are members of a JSON object in the body, as for POST. Retries, hedges and event streams treat the request like a
/// GET.
///
/// - Parameter path: See ``HTTP(_:_:)``.
@attached(peer)
public macro QUERY(_ path: StaticString = "") = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Opens a WebSocket (RFC 6455) at a path.
///
///     @WebSocket("/rooms/{room}") func join(room: String) async throws -> WebSocket
///
/// The method returns a `WebSocket`, or a `ReconnectingWebSocket`, which opens its connections while its messages are read. The request is
/// a GET without a body, so that unmarked parameters are query items. The expressions are evaluated for each call:
///
///     @WebSocket("/prices", options: WebSocketOptions(subprotocols: ["v2.prices"], compression: nil))
///     func prices() async throws -> WebSocket
///
/// - Parameters:
///   - path: See ``HTTP(_:_:)``.
///   - options: The subprotocols, the compression, the limits and the pings of the WebSocket.
///   - reconnection: When a `ReconnectingWebSocket` opens another connection.
@attached(peer)
public macro WebSocket(
    _ path: StaticString = "",
    options: WebSocketOptions = WebSocketOptions(),
    reconnection: ReconnectionPolicy = ReconnectionPolicy()
) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Sets headers of a request, or of all requests of an API.
///
///     @Headers(["Accept": "text/plain", "X-Request-ID": "{requestID}"])
///
/// A method's header replaces the API's.
///
/// - Parameter headers: Names and values, which can contain names of parameters in braces.
@attached(peer)
public macro Headers(_ headers: KeyValuePairs<StaticString, String>) =
    #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Sets the names of parameters in the request, where they differ from the names in Swift.
///
///     @Names(["sortBy": "sort"])
///
/// - Parameter names: The parameters' names, and their names in the query, the form or the JSON object.
@attached(peer)
public macro Names(_ names: KeyValuePairs<StaticString, StaticString>) =
    #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Sets the value of a parameter that a call omits; `nil` is the value of every optional parameter.
///
///     @GET("/repos") @Default("perPage", 30) func repos(page: Int?, perPage: Int) async throws -> [Repo]
///
/// - Parameters:
///   - parameter: The parameter's name.
///   - value: The value, of the parameter's type.
@attached(peer)
public macro Default<Value>(_ parameter: StaticString, _ value: Value) =
    #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Limits the time of requests, for a method or the whole API.
///
///     @GET("/search") @Timeout(5, total: .seconds(30)) func search(text: String) async throws -> [Item]
///
/// A time that a method does not set is that of the API, and otherwise that of the provider or the session. `nil` on a method selects
/// the time of the provider or the session, if the API sets another one. ``RequestTimeouts`` describes the durations.
///
/// - Parameters:
///   - seconds: The time in seconds after which a request fails if nothing is sent or received.
///   - total: The time of the whole request, with all attempts.
///   - attempt: The time of each attempt.
///   - connect: The time without any connection.
///   - pool: The time of the wait for a connection.
///   - firstByte: The time from the sent request to the head of the response.
@attached(peer)
public macro Timeout(
    _ seconds: TimeInterval? = nil,
    total: Duration? = nil,
    attempt: Duration? = nil,
    connect: Duration? = nil,
    pool: Duration? = nil,
    firstByte: Duration? = nil
) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Chooses the retrier of requests, for a method or the whole API.
///
///     @GET("/search") @Retry(RetryPolicy(retryLimit: 5)) func search(text: String) async throws -> [Item]
///
/// It replaces the retry policies of the session and of the provider; other retriers, such as one that refreshes a token, are kept. The
/// expression is evaluated once, so that all requests share the budget of a policy.
///
/// - Parameter retrier: The retrier, such as a ``RetryPolicy``.
@attached(peer)
public macro Retry(_ retrier: any RequestRetrier) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Chooses whether requests are retried, for a method or the whole API.
///
///     @POST("/orders") @Retry(.never) func order(_ order: Body<Order>) async throws -> Receipt
///
/// - Parameter choice: ``RetryChoice/never``, or ``RetryChoice/inherited`` for the policies of the session and the provider, if the API
///   chooses others.
@attached(peer)
public macro Retry(_ choice: RetryChoice) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Gives each request of a method, or of all methods of an API that are not idempotent, an `Idempotency-Key`, so that it can be retried.
///
///     @POST("/payments") @Idempotent func pay(_ order: Body<Order>) async throws -> Receipt
///
/// Each call has one key, which its retries keep. For a key of the application, set the header, as in
/// `@Headers(["Idempotency-Key": "{key}"])`.
///
/// - Parameter keys: The keys; `nil` on a method for those of the session, if it has some.
@attached(peer)
public macro Idempotent(_ keys: IdempotencyKeys? = IdempotencyKeys()) =
    #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Sets the JSON encoder of a method's body and sample, and the decoder of its response, in place of the API's.
///
/// - Parameters:
///   - encoder: The encoder; `nil` for the API's.
///   - decoder: The decoder; `nil` for the client's.
@attached(peer)
public macro JSON(encoder: JSONEncoder? = nil, decoder: JSONDecoder? = nil) =
    #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Sets the encoder of a method's body and sample, and the decoder of its response, in any format.
///
///     @PUT("/invoices/{id}") @Coders(encoder: XMLBody(), decoder: XMLDecoder())
///     func update(id: Int, invoice: Body<Invoice>) async throws -> Invoice
///
/// - Parameters:
///   - encoder: The encoder; `nil` for the API's.
///   - decoder: The decoder; `nil` for the client's.
@attached(peer)
public macro Coders(
    encoder: (any RequestEncoder & Sendable)? = nil,
    decoder: (any ResponseDecoder & Sendable)? = nil
) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Sets the use of the session's cache, for a method or the whole API; by default it is the policy of the session's
/// configuration.
///
///     @GET("/repos") @Cache(.returnCacheDataElseLoad) func repos() async throws -> [Repo]
@attached(peer)
public macro Cache(_ policy: URLRequest.CachePolicy) =
    #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Sends unmarked parameters as the fields of a form (`application/x-www-form-urlencoded`).
@attached(peer)
public macro FormURLEncoded() = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Sends unmarked parameters as the parts of a multipart form (RFC 7578).
///
/// A `URL` is a file that is streamed, `Data` and texts are sent unchanged, and a ``MultipartFormData`` is
/// used as it is. Each element of a collection is a part, with a name as in a form; `nil` is omitted.
@attached(peer)
public macro Multipart() = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Sets how values are written in queries, forms, parts, paths and headers.
///
/// - Parameters:
///   - arrayEncoding: How the name of an array's element is written in queries, forms and parts.
///   - boolEncoding: How a Boolean is written.
@attached(peer)
public macro URLStyle(
    arrayEncoding: URLEncoding.ArrayEncoding = .brackets,
    boolEncoding: URLEncoding.BoolEncoding = .numeric
) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Sends a bearer token (RFC 6750) of an ``AccessTokenPlugin`` or ``AccessTokenInterceptor``.
@attached(peer)
public macro Bearer() = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Sends a token of an ``AccessTokenPlugin`` with the scheme `Basic` (RFC 7617).
@attached(peer)
public macro Basic() = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Sends a token with a custom scheme, or no token.
///
/// - Parameter type: The scheme; `nil` for no token, if the API sends one by default.
@attached(peer)
public macro Authorization(_ type: AuthorizationType?) =
    #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")
#endif
