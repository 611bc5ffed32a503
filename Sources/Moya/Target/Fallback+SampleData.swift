import Foundation

extension Fallback {
    /// Responds with the `sampleData` of the target and the status 200, in place of a request that has failed.
    ///
    ///     var resilience = Resilience()
    ///     resilience.fallbacks = [.staleResponse, .sampleData]
    ///     let provider = MoyaProvider<GitHub>(session: Session(resilience: resilience))
    ///
    /// It is used like ``Fallback/sample(statuses:_:)``, but only for requests with a safe method, such as GET, because the sample
    /// of a POST would pretend that it has been processed. A target without a sample, whose `sampleData` is empty, has no fallback.
    public static var sampleData: Fallback {
        .sample { request, _ in
            guard request.method.isSafe, let data = (request.target as? any TargetType)?.sampleData, !data.isEmpty
            else { return nil }
            return TransportResponse(status: 200, body: .complete(data))
        }
    }
}
