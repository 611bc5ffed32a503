#if Macros
    /// The answer goes into a file, which a parameter of the type `@escaping DownloadDestination` decides on, or is named by one
    /// of the type `URL`.
    @attached(peer)
    public macro Download() = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// The answer is read as it comes: ``ServerSentEvents`` (over as many connections as it takes), ``StreamingEvents``,
    /// ``StreamingLines``, ``StreamingBody`` or the ``StreamingResponse`` itself.
    @attached(peer)
    public macro Stream() = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// The answer's value is a part of the body.
    ///
    /// - Parameter keyPath: Names of nested objects, separated by dots.
    @attached(peer)
    public macro KeyPath(_ keyPath: StaticString) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// Which status codes count as success, for a request or for all of an API. Those from 200 to 299, unless you say otherwise.
    ///
    /// - Parameter type: Which.
    @attached(peer)
    public macro Validation(_ type: ValidationType) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// What the body of a refused answer says is thrown, in ``MoyaError/underlying(_:_:)``.
    ///
    /// - Parameter type: What such a body decodes as.
    @attached(peer)
    public macro ErrorBody<Failure: Decodable & Error & Sendable>(_ type: Failure.Type) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// What a stub answers with: a text.
    ///
    /// Without it a stub answers with the sample of the answer's own type, if that is ``Sampled``.
    ///
    /// - Parameter text: The body.
    @attached(peer)
    public macro Sample(_ text: String) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// What a stub answers with: a value, encoded as JSON; a text as it is.
    ///
    /// - Parameter value: The value.
    @attached(peer)
    public macro Sample<Value: Encodable>(_ value: Value) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

    /// What a stub answers with: what a function makes of the method's parameters, encoded as JSON; a text as it is.
    ///
    ///     @Sample({ (name: String) in User(login: name, id: 1) })
    ///
    /// - Parameter make: Makes the value of the parameters, in their order.
    @attached(peer)
    public macro Sample<each Parameter, Value: Encodable>(_ make: (repeat each Parameter) -> Value) =
        #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")
#endif
