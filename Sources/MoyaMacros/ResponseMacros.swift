#if Macros
/// The result of a ``Stream(until:)`` of server-sent events that reconnects, unless the method is unsafe, as POST is.
public typealias ServerSentEvents = EventSequence

/// Downloads the response to a file.
///
/// The file is chosen by a parameter of type `@escaping DownloadDestination`, or given by one of type `URL`.
@attached(peer)
public macro Download() = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Streams the response.
///
///     @POST("/chat") @Stream(until: "[DONE]") func chat(_ question: Body<Question>) async throws -> DecodedEvents<Delta>
///
/// The method returns decoded values (``DecodedEvents`` or ``DecodedLines``), ``ServerSentEvents``, ``StreamingEvents``,
/// ``StreamingLines``, ``StreamingBody`` or ``StreamingResponse``. ``DecodedEvents`` and ``ServerSentEvents`` reconnect if the method is
/// `@GET`, `@HEAD`, `@OPTIONS` or `@QUERY`. With `@POST` and others the request is sent once, and its events end with its response; to
/// repeat it, call `client.provider.events(target, reconnection: ReconnectionPolicy(repeatsUnsafeRequests: true))`.
///
/// - Parameter end: The data of the event that ends ``DecodedEvents``; `nil` for none.
@attached(peer)
public macro Stream(until end: StaticString? = nil) =
    #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Requests a list in pages.
///
///     @GET("/users/{owner}/repos") @Paged(.link)
///     func repositories(owner: String) async throws -> PagedSequence<Repository>
///
/// The method returns a ``PagedSequence``, and sends nothing: the loop over it requests the pages. ``KeyPath(_:)`` is the location of
/// the items in the body.
///
/// - Parameter pagination: The way in which the server divides the list into pages.
@attached(peer)
public macro Paged(_ pagination: Pagination) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

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

/// Returns a value whose type depends on the status.
///
///     @PUT("/documents/{name}") @ByStatus func save(name: String, text: String) async throws -> SaveResult
///
/// The method returns an enumeration with ``StatusResult()``, whose cases are the accepted statuses.
@attached(peer)
public macro ByStatus() = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Throws the decoded body of a rejected response, in ``MoyaError/underlying(_:_:)``.
///
/// - Parameter type: The type that such a body decodes as.
@attached(peer)
public macro ErrorBody<Failure: Decodable & Error & Sendable>(_ type: Failure.Type) =
    #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Throws the decoded body of a rejected response with a status, in ``MoyaError/underlying(_:_:)``.
///
///     @ErrorBody(Conflict.self, for: 409) @ErrorBody(Problem.self)
///
/// The attribute may be repeated for other statuses. One without a status is for all others.
///
/// - Parameters:
///   - type: The type that such a body decodes as.
///   - status: The status.
@attached(peer)
public macro ErrorBody<Failure: Decodable & Error & Sendable>(_ type: Failure.Type, for status: Int) =
    #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Throws the decoded body of a rejected response with one of the listed statuses, in ``MoyaError/underlying(_:_:)``.
///
///     @ErrorBody(Conflict.self, for: 409, 412)
///
/// - Parameters:
///   - type: The type that such a body decodes as.
///   - first: The first status.
///   - second: The second status.
///   - others: The other statuses.
@attached(peer)
public macro ErrorBody<Failure: Decodable & Error & Sendable>(
    _ type: Failure.Type,
    for first: Int,
    _ second: Int,
    _ others: Int...
) = #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")

/// Throws the decoded body of a rejected response with a status in a range, in ``MoyaError/underlying(_:_:)``.
///
/// - Parameters:
///   - type: The type that such a body decodes as.
///   - statuses: The statuses, such as `500...599`. The attributes are read in their order.
@attached(peer)
public macro ErrorBody<Failure: Decodable & Error & Sendable>(_ type: Failure.Type, for statuses: ClosedRange<Int>) =
    #externalMacro(module: "MoyaMacrosPlugin", type: "MarkerMacro")
#endif
