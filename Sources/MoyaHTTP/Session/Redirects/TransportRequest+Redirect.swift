import HTTPTypes

extension RedirectRequest {
    /// What of a transport's request redirects change.
    init(_ request: TransportRequest) {
        self.init(method: request.method, url: request.url, headers: request.headers, hasBody: request.body != nil)
    }
}

extension TransportRequest {
    /// The request of the next hop. Its headers are those of the redirect and no others: a session's own headers are among
    /// them, unless they must not cross an origin.
    func following(_ redirect: RedirectRequest) -> TransportRequest {
        var request = self
        request.method = redirect.method
        request.url = redirect.url
        request.headers = redirect.headers
        if !redirect.hasBody { request.body = nil }
        return request
    }
}
