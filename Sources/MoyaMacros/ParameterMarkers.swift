#if Macros
// Swift does not allow attributes on parameters of protocol methods. These aliases mark a parameter without
// wrapping its value, so methods are called with plain values.

/// A parameter that is sent in the URL's query; an array is sent as several items, and `nil` is omitted.
public typealias Query<Value> = Value

/// A parameter that is sent as a header, with a name derived from the parameter's: `ifNoneMatch` becomes
/// `If-None-Match`.
///
/// `nil` is omitted, and the elements of a list are separated by commas. For other names use ``Headers(_:)``, whose values
/// can contain parameters.
public typealias Header<Value> = Value

/// The parameter with the body: an `Encodable` value, which is sent as JSON, unchanged `Data` or ``HTTPBody``, or the file
/// at a `URL`.
public typealias Body<Value> = Value

/// A parameter that is a form field; see ``FormURLEncoded()``.
public typealias Field<Value> = Value

/// A parameter that is a part of a multipart form; see ``Multipart()``.
public typealias Part<Value> = Value
#endif
