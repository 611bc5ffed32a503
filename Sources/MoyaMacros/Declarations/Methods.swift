#if Macros
    /// The method requests this path with an HTTP method of any name.
    ///
    ///     @HTTP("PURGE", "/cache/{key}") func purge(key: String) async throws
    ///
    /// - Parameters:
    ///   - method: The HTTP method (RFC 9110, section 9).
    ///   - path: What is appended to the API's URL: begins with a slash, and has the names of parameters in braces, whose values
    ///     are escaped so that they can't change the route. A query may follow, with fixed values and parameters:
    ///     `/search?type=issue&per_page={perPage}`.
    @attached(peer)
    public macro HTTP(_ method: StaticString, _ path: StaticString) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// The method requests this path with GET.
    ///
    /// - Parameter path: See ``HTTP(_:_:)``.
    @attached(peer)
    public macro GET(_ path: StaticString) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// The method requests this path with POST.
    ///
    /// - Parameter path: See ``HTTP(_:_:)``.
    @attached(peer)
    public macro POST(_ path: StaticString) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// The method requests this path with PUT.
    ///
    /// - Parameter path: See ``HTTP(_:_:)``.
    @attached(peer)
    public macro PUT(_ path: StaticString) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// The method requests this path with PATCH.
    ///
    /// - Parameter path: See ``HTTP(_:_:)``.
    @attached(peer)
    public macro PATCH(_ path: StaticString) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// The method requests this path with DELETE.
    ///
    /// - Parameter path: See ``HTTP(_:_:)``.
    @attached(peer)
    public macro DELETE(_ path: StaticString) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// The method requests this path with HEAD.
    ///
    /// - Parameter path: See ``HTTP(_:_:)``.
    @attached(peer)
    public macro HEAD(_ path: StaticString) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// The method requests this path with OPTIONS.
    ///
    /// - Parameter path: See ``HTTP(_:_:)``.
    @attached(peer)
    public macro OPTIONS(_ path: StaticString) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")
#endif
