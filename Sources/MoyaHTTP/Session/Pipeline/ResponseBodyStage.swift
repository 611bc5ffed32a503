/// Reads the bodies of responses that a middleware has created, which no attempt has read.
struct ResponseBodyStage: RequestStage {
    let bodyReader: ResponseBodyReader

    nonisolated(nonsending) func respond(
        to request: UncheckedRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        let response = try await next(request, context)
        if let tag = response.tag, tag === context.tag { return response }
        return try await bodyReader.read(response, to: request.urlRequest, context: context)
    }
}
