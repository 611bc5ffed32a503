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

/// A parameter whose entries are query items, with the names of a dictionary's keys or of an `Encodable` value's properties.
///
///     @GET("/search") func search(text: String, filters: QueryMap<[String: String]>) async throws -> [Item]
///
/// An entry replaces the query item of the same name.
public typealias QueryMap<Value> = Value

/// A parameter whose entries are headers, as ``QueryMap`` describes it.
public typealias HeaderMap<Value> = Value

/// A parameter whose entries are form fields, as ``QueryMap`` describes it; see ``FormURLEncoded()``.
public typealias FieldMap<Value> = Value

/// The parameter with the URL of the request: a `URL` or a `String`, such as the link to the next page.
///
///     @GET func page(at link: RequestURL<URL>) async throws -> Page
///
/// It replaces the base URL and the path. A relative URL is resolved against the base URL. The request is sent only to the origin of the
/// base URL, because it has the credentials of the API: another scheme, host or port is an error (``RequestURLError``), except `https` in
/// place of `http`. Query parameters are added to the URL.
public typealias RequestURL<Value> = Value

/// A parameter that is a part of a multipart form; see ``Multipart()``.
public typealias Part<Value> = Value
#endif
