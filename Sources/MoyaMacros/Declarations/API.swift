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
    /// - `GitHubAPI`, an enum that is a ``TargetType``, with a case for each method;
    /// - `GitHubClient`, which conforms to the protocol over a ``MoyaProvider``;
    /// - `GitHubMock`, which conforms to the protocol with configurable answers, for tests.
    ///
    /// A parameter that is named in the path is inserted there; one that is marked (``Query``, ``Header``, ``Body``,
    /// ``Field``, ``Part``) is sent as marked. All others are query items for GET, HEAD and DELETE; for other methods
    /// they are members of a JSON object in the body, fields with ``FormURLEncoded()``, or parts with
    /// ``Multipart()``.
    ///
    /// - Parameters:
    ///   - baseURL: The API's URL: absolute, with the scheme `http` or `https`, checked at compile time.
    ///   - keys: How names of query items, fields and JSON members are derived from the parameters' names.
    @attached(peer, names: suffixed(API), suffixed(Client), suffixed(Mock))
    public macro API(_ baseURL: StaticString, keys: KeyStyle = .asWritten) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "APIMacro")

    /// Declares an API whose URL is an expression, which is evaluated for each request.
    ///
    /// - Parameters:
    ///   - baseURL: The API's URL.
    ///   - keys: How names of query items, fields and JSON members are derived from the parameters' names.
    @attached(peer, names: suffixed(API), suffixed(Client), suffixed(Mock))
    public macro API(_ baseURL: URL, keys: KeyStyle = .asWritten) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "APIMacro")

    /// How names in requests are derived from Swift names.
    public enum KeyStyle: Sendable {
        /// Names are unchanged.
        case asWritten
        /// Names are in snake case: `perPage` becomes `per_page`.
        case snakeCase
    }
#endif
