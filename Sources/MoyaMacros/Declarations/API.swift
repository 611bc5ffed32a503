#if Macros
    // Targets, providers and what their methods take come with `import MoyaMacros`.
    @_exported import Foundation
    @_exported import Moya

    /// Declares an API: a protocol with a method for each of its endpoints.
    ///
    ///     @API("https://api.github.com")
    ///     protocol GitHub {
    ///         @GET("/users/{name}") func user(name: String) async throws -> User
    ///         @POST("/repos/{owner}/{repo}/issues") @Bearer
    ///         func createIssue(owner: String, repo: String, issue: Body<NewIssue>) async throws -> Issue
    ///     }
    ///
    /// For a protocol `GitHub` it makes
    ///
    /// - `GitHubAPI`, an enum that is a ``TargetType``, with a case for each method;
    /// - `GitHubClient`, which conforms to the protocol over a ``MoyaProvider``;
    /// - `GitHubMock`, which conforms to it with answers of yours, for tests.
    ///
    /// What a method's parameters are: those that are named in the path stand there; those that are marked (``Query``, ``Header``,
    /// ``Body``, ``Field``, ``Part``) go where they say; all others go into the query for GET, HEAD and DELETE, and are members of
    /// a JSON object in the body otherwise, fields with ``FormURLEncoded()``, parts with ``Multipart()``.
    ///
    /// - Parameters:
    ///   - baseURL: Where the API is: an absolute URL with the scheme `http` or `https`, checked when it is compiled.
    ///   - keys: How names of query items, fields and JSON members are made of the parameters' names.
    @attached(peer, names: suffixed(API), suffixed(Client), suffixed(Mock))
    public macro API(_ baseURL: StaticString, keys: KeyStyle = .asWritten) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "APIMacro")

    /// Declares an API whose URL is the value of an expression, asked for with each request.
    ///
    /// - Parameters:
    ///   - baseURL: Where the API is.
    ///   - keys: How names of query items, fields and JSON members are made of the parameters' names.
    @attached(peer, names: suffixed(API), suffixed(Client), suffixed(Mock))
    public macro API(_ baseURL: URL, keys: KeyStyle = .asWritten) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "APIMacro")

    /// How names on the wire are made of those in Swift.
    public enum KeyStyle: Sendable {
        /// They are the same.
        case asWritten
        /// `perPage` becomes `per_page`.
        case snakeCase
    }
#endif
