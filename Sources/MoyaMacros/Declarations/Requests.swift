#if Macros
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

    /// Sets names in the request for parameters whose own names differ.
    ///
    ///     @Names(["sortBy": "sort"])
    ///
    /// - Parameter names: The parameters' names, and their names in the query, the form or the JSON object.
    @attached(peer)
    public macro Names(_ names: KeyValuePairs<StaticString, StaticString>) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Sends unmarked parameters as the fields of a form (`application/x-www-form-urlencoded`).
    @attached(peer)
    public macro FormURLEncoded() = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Sends unmarked parameters as the parts of a multipart form (RFC 7578).
    ///
    /// A `URL` is a file that is streamed, `Data` and texts are sent unchanged, and a ``MultipartFormBodyPart`` is
    /// used as it is. `nil` is omitted.
    @attached(peer)
    public macro Multipart() = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Sets how query items and form fields are written.
    ///
    /// - Parameters:
    ///   - arrayEncoding: How the name of an array's element is written.
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
