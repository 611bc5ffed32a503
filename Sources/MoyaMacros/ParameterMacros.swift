#if Macros
    // Swift does not allow attributes on parameters of protocol methods. These aliases mark a parameter without
    // wrapping its value, so methods are called with plain values.

    /// A parameter that is sent in the URL's query; an array has several values, and `nil` is omitted.
    public typealias Query<Value> = Value

    /// A parameter that is sent as a header, with a name derived from the parameter's: `ifNoneMatch` becomes
    /// `If-None-Match`.
    ///
    /// `nil` is omitted, and elements of a list are separated by commas. For other names use ``Headers(_:)``, whose values can contain parameters.
    public typealias Header<Value> = Value

    /// The parameter that is the body: an `Encodable` value as JSON, unchanged `Data` or ``HTTPBody``, or the file at
    /// a `URL`.
    public typealias Body<Value> = Value

    /// A parameter that is a form field; see ``FormURLEncoded()``.
    public typealias Field<Value> = Value

    /// A parameter that is a part of a multipart form; see ``Multipart()``.
    public typealias Part<Value> = Value

    /// Checks the types of a method's parameters, in code that ``GET(_:)`` and the like generate.
    @attached(peer)
    public macro MoyaGeneratedCheck(_ values: MoyaGenerated.SentValue...) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// The result of a ``Stream()`` of server-sent events that reconnects, unless the method is unsafe, as POST is.
    public typealias ServerSentEvents = EventSequence

    /// Downloads the response to a file.
    ///
    /// The file is chosen by a parameter of type `@escaping DownloadDestination`, or given by one of type `URL`.
    @attached(peer)
    public macro Download() = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Streams the response.
    ///
    /// The method returns ``ServerSentEvents``, ``StreamingEvents``, ``StreamingLines``, ``StreamingBody`` or
    /// ``StreamingResponse``. ``ServerSentEvents`` reconnects if the method is `@GET`, `@HEAD` or `@OPTIONS`. With `@POST` and
    /// others the request is sent once, and its events end with its response; to repeat it, call
    /// `client.provider.events(target, reconnection: ReconnectionPolicy(repeatsUnsafeRequests: true))`.
    @attached(peer)
    public macro Stream() = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Decodes only the part of the body at a key path.
    ///
    /// - Parameter keyPath: Names of nested objects, separated by dots.
    @attached(peer)
    public macro KeyPath(_ keyPath: StaticString) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Sets the status codes that count as success, for a method or the whole API; 200 to 299 by default.
    ///
    /// - Parameter type: The status codes.
    @attached(peer)
    public macro Validation(_ type: ValidationType) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Throws the decoded body of a rejected response, in ``MoyaError/underlying(_:_:)``.
    ///
    /// - Parameter type: The type that such a body decodes as.
    @attached(peer)
    public macro ErrorBody<Failure: Decodable & Error & Sendable>(_ type: Failure.Type) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Sets the body of a stub to a text.
    ///
    /// By default it is the sample of the returned type, if that is ``Sampled``.
    ///
    /// - Parameter text: The body.
    @attached(peer)
    public macro Sample(_ text: String) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Sets the body of a stub to a value, encoded as JSON; a text is unchanged.
    ///
    /// - Parameter value: The value.
    @attached(peer)
    public macro Sample<Value: Encodable>(_ value: Value) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Sets the body of a stub to the result of a function of the method's parameters, encoded as JSON; a text is
    /// unchanged.
    ///
    ///     @Sample({ (name: String) in User(login: name, id: 1) })
    ///
    /// - Parameter make: Returns the value for the parameters, in order.
    @attached(peer)
    public macro Sample<each Parameter, Value: Encodable>(_ make: (repeat each Parameter) -> Value) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")
#endif
