#if Macros
    // Swift lets no attribute be attached to a parameter of a protocol's method. These are the value's own type under another
    // name, so that nothing is wrapped: a method is called with plain values.

    /// A parameter that goes into the URL's query. Several values come from an array; `nil` is left out.
    public typealias Query<Value> = Value

    /// A parameter that goes into a header, whose name is made of the parameter's: `ifNoneMatch` is sent as `If-None-Match`.
    ///
    /// `nil` is left out. Other names: ``Headers(_:)``, whose values may name parameters.
    public typealias Header<Value> = Value

    /// The parameter that is the body: any `Encodable` value as JSON, `Data` and an ``HTTPBody`` as they are, the file at a `URL`.
    public typealias Body<Value> = Value

    /// A parameter that is a field of a form. See ``FormURLEncoded()``.
    public typealias Field<Value> = Value

    /// A parameter that is a part of a form. See ``Multipart()``.
    public typealias Part<Value> = Value

    /// What a ``Stream()`` of server-sent events gives.
    public typealias ServerSentEvents = EventSequence
#endif
