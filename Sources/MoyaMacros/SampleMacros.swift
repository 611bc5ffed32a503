#if Macros
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
