import Moya

/// Adds the request's ID for the logs of the server.
///
/// The ID is the same in all attempts and after redirects.
///
///     Session(middleware: [RequestIDHeader()])
public struct RequestIDHeader: HTTPMiddleware {
    private let name: HTTPField.Name

    /// Creates a middleware that adds a field of this name.
    public init(name: HTTPField.Name = HTTPField.Name("X-Request-ID")!) { self.name = name }

    /// Handles a request.
    public func respond(
        to request: TransportRequest,
        context: RequestContext,
        next: @escaping Next
    ) async throws -> TransportResponse {
        var request = request
        if request.headers[name] == nil { request.headers[name] = context.id.uuidString }
        return try await next(request)
    }
}
