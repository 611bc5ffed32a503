import HTTPTypes

extension RedirectRequest {
    /// Creates the part of a transport request that redirects may change.
    init(_ request: TransportRequest) {
        self.init(method: request.method, url: request.url, headers: request.headers, hasBody: request.body != nil)
    }
}

extension TransportRequest {
    /// Returns the request that follows a redirect.
    ///
    /// It has exactly the headers of `redirect`, which include those of the session unless they must not be sent to
    /// another origin.
    func following(_ redirect: RedirectRequest) -> TransportRequest {
        var request = self
        request.method = redirect.method
        request.url = redirect.url
        request.headers = redirect.headers
        if !redirect.hasBody { request.body = nil }
        return request
    }
}
