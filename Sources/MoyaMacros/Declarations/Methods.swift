#if Macros
    /// Requests a path with any HTTP method.
    ///
    ///     @HTTP("PURGE", "/cache/{key}") func purge(key: String) async throws
    ///
    /// - Parameters:
    ///   - method: The HTTP method (RFC 9110, section 9).
    ///   - path: The path that is appended to the API's URL. It begins with a slash, and contains names of parameters
    ///     in braces, whose values are escaped so that they cannot change the route. It may have a query with fixed
    ///     values and parameters: `/search?type=issue&per_page={perPage}`.
    @attached(peer)
    public macro HTTP(_ method: StaticString, _ path: StaticString) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Requests a path with GET.
    ///
    /// - Parameter path: See ``HTTP(_:_:)``.
    @attached(peer)
    public macro GET(_ path: StaticString) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Requests a path with POST.
    ///
    /// - Parameter path: See ``HTTP(_:_:)``.
    @attached(peer)
    public macro POST(_ path: StaticString) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Requests a path with PUT.
    ///
    /// - Parameter path: See ``HTTP(_:_:)``.
    @attached(peer)
    public macro PUT(_ path: StaticString) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Requests a path with PATCH.
    ///
    /// - Parameter path: See ``HTTP(_:_:)``.
    @attached(peer)
    public macro PATCH(_ path: StaticString) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Requests a path with DELETE.
    ///
    /// - Parameter path: See ``HTTP(_:_:)``.
    @attached(peer)
    public macro DELETE(_ path: StaticString) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Requests a path with HEAD.
    ///
    /// - Parameter path: See ``HTTP(_:_:)``.
    @attached(peer)
    public macro HEAD(_ path: StaticString) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Requests a path with OPTIONS.
    ///
    /// - Parameter path: See ``HTTP(_:_:)``.
    @attached(peer)
    public macro OPTIONS(_ path: StaticString) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")
#endif
