import Foundation

extension MoyaProvider {
    /// Makes endpoints as the targets say, but of another server, or with another encoder.
    ///
    ///     MoyaProvider<GitHub>(endpointClosure: MoyaProvider.endpoints(at: staging))
    ///
    /// - Parameters:
    ///   - baseURL: What stands in place of the targets' base URL; that one if you give none.
    ///   - encoder: Encodes values that are sent as JSON, where the target has no encoder for them.
    public static func endpoints(at baseURL: URL?, encoder: JSONEncoder? = nil) -> EndpointClosure {
        guard baseURL != nil || encoder != nil else { return { defaultEndpointMapping(for: $0) } }
        return { target in
            let endpoint = defaultEndpointMapping(for: target)
            return Endpoint(
                url: baseURL.map { URL.text(of: Relocated(target: target, baseURL: $0)) } ?? endpoint.url,
                sampleResponseClosure: endpoint.sampleResponseClosure,
                method: endpoint.method,
                task: encoder.map { endpoint.task.encodingJSON(with: $0) } ?? endpoint.task,
                httpHeaderFields: endpoint.httpHeaderFields
            )
        }
    }
}

/// A target at another server, so that its URL is put together as any target's is.
private struct Relocated<Target: TargetType>: TargetType {
    let target: Target
    let baseURL: URL

    var path: String { target.path }
    var isPathEscaped: Bool { target.isPathEscaped }
    var method: Moya.Method { target.method }
    var task: HTTPTask { target.task }
    var headers: [String: String]? { target.headers }
}
