#if Macros
    /// Headers of a request, or of all requests of an API.
    ///
    ///     @Headers(["Accept": "text/plain", "X-Request-ID": "{requestID}"])
    ///
    /// A method's header wins over the API's.
    ///
    /// - Parameter headers: Names, and values in which names of parameters may stand in braces.
    @attached(peer)
    public macro Headers(_ headers: KeyValuePairs<StaticString, String>) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Names on the wire for parameters whose own names differ.
    ///
    ///     @Names(["sortBy": "sort"])
    ///
    /// - Parameter names: Parameters' names, and what they are called in the query, the form or the JSON object.
    @attached(peer)
    public macro Names(_ names: KeyValuePairs<StaticString, StaticString>) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Parameters that are not marked are fields of a form (`application/x-www-form-urlencoded`).
    @attached(peer)
    public macro FormURLEncoded() = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Parameters that are not marked are parts of a form (RFC 7578): a `URL` is a file that is streamed, `Data` and texts stand
    /// for themselves, a ``MultipartFormBodyPart`` says everything itself. `nil` is left out.
    @attached(peer)
    public macro Multipart() = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// How query items and form fields are written.
    ///
    /// - Parameters:
    ///   - arrayEncoding: How the name of an array's element is written.
    ///   - boolEncoding: How a Boolean is written.
    @attached(peer)
    public macro URLStyle(
        arrayEncoding: URLEncoding.ArrayEncoding = .brackets,
        boolEncoding: URLEncoding.BoolEncoding = .numeric
    ) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Requests carry a bearer token (RFC 6750), which an ``AccessTokenPlugin`` or ``AccessTokenInterceptor`` gives.
    @attached(peer)
    public macro Bearer() = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Requests carry a token with the scheme `Basic` (RFC 7617), which an ``AccessTokenPlugin`` gives.
    @attached(peer)
    public macro Basic() = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Requests carry a token with a scheme of your own; or, with `nil`, none although those of the API do.
    ///
    /// - Parameter type: The scheme.
    @attached(peer)
    public macro Authorization(_ type: AuthorizationType?) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")
#endif
