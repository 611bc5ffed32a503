import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the interceptors do to the requests of one try.
struct SessionAdaptation: Sendable {
    /// There is none where nobody adapts anything.
    let interceptor: Interceptor?
    let session: Session
    let record: RequestRecord
    let retryCount: Int

    /// Whether there is anybody to adapt a request.
    var isNeeded: Bool { interceptor != nil }

    /// Has all interceptors adapt a request, each what the one before made of it.
    func adapt(_ request: URLRequest, redirectCount: Int) async throws -> URLRequest {
        // The state costs a number for the request.
        guard let interceptor else { return request }
        let state = RequestAdapterState(
            of: record,
            session: session,
            retryCount: retryCount,
            redirectCount: redirectCount
        )
        return try await interceptor.adapt(request, using: state)
    }
}
