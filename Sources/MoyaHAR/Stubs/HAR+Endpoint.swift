import Foundation
import Moya

extension HAR.Request {
    /// Creates the request of an endpoint; streamed content is unknown and not compared.
    ///
    /// - Throws: `MoyaError` if the endpoint's request cannot be created.
    init(_ endpoint: Endpoint) throws {
        let request = try endpoint.urlRequest()
        let headers = request.headers.sorted().map { HAR.Field(name: $0.name, value: $0.value) }
        let url = String((request.url?.absoluteString ?? endpoint.url).prefix { $0 != "#" })
        self.init(
            method: request.httpMethod ?? endpoint.method.rawValue,
            url: url,
            headers: headers,
            queryString: URLText(of: url).items.map { HAR.Field(name: $0.name, value: $0.value) }
        )
        if let body = request.httpBody {
            bodySize = Int64(body.count)
            postData = HAR.PostData(
                CapturedBody(body, limit: body.count),
                mimeType: headers.value(of: "Content-Type") ?? "",
                contentEncoding: headers.value(of: "Content-Encoding")
            )
        } else if case .requestPlain = endpoint.task {
            bodySize = 0
        } else {
            // Like a body that is not in the file.
            bodySize = .max
        }
    }

    /// Returns the request after a redirect (RFC 9110, section 15.4); `nil` for other responses.
    func following(_ response: HAR.Response) -> HAR.Request? {
        guard [301, 302, 303, 307, 308].contains(response.status),
            let location = response.headers.value(of: "Location") ?? nonEmpty(response.redirectURL),
            let url = URL(string: location, relativeTo: URL(string: url))
        else { return nil }
        var next = self
        next.url = String(url.absoluteString.prefix { $0 != "#" })
        let becomesGet = response.status == 303 ? method != "HEAD" : response.status < 303 && method == "POST"
        if becomesGet { (next.method, next.postData, next.bodySize) = ("GET", nil, 0) }
        return next
    }

    private func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}
