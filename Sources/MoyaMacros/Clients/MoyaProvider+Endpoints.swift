#if Macros
    import Foundation

    extension MoyaProvider {
        /// Makes endpoints as the targets say, but of another server, or with another encoder.
        ///
        ///     MoyaProvider<GitHubAPI>(endpointClosure: MoyaProvider.endpoints(at: staging))
        ///
        /// - Parameters:
        ///   - baseURL: What stands in place of the targets' base URL; that one if you give none.
        ///   - encoder: Encodes values that are sent as JSON, where the target has no encoder for them.
        public static func endpoints(at baseURL: URL?, encoder: JSONEncoder? = nil) -> EndpointClosure {
            guard baseURL != nil || encoder != nil else { return { defaultEndpointMapping(for: $0) } }
            return { target in
                let url = baseURL.map { URL(target: Relocated(target: target, baseURL: $0)) } ?? URL(target: target)
                let task = target.task
                return Endpoint(
                    url: url.absoluteString,
                    sampleResponseClosure: { .networkResponse(200, target.sampleData) },
                    method: target.method,
                    task: encoder.map { task.encodingJSON(with: $0) } ?? task,
                    httpHeaderFields: target.headers
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
#endif
