import Foundation
import MoyaHTTP

extension HAR.Request {
    /// Creates the request of an archive from a transport's request and its captured body.
    package init(_ request: TransportRequest, body: CapturedBody?) {
        let headers = request.headers.map { HAR.Field($0) }
        let url = String(request.url.absoluteString.prefix { $0 != "#" })
        self.init(
            method: request.method.rawValue,
            url: url,
            cookies: headers.filter { $0.name.lowercased() == "cookie" }.flatMap { HAR.Cookie.sent(in: $0.value) },
            headers: headers,
            queryString: URLParts(of: url).items.map { HAR.Field(name: $0.name, value: $0.value) },
            postData: body.map {
                HAR.PostData(
                    $0,
                    mimeType: request.headers[.contentType] ?? "",
                    contentEncoding: request.headers[.contentEncoding]
                )
            },
            bodySize: body?.size ?? 0
        )
    }
}

extension HAR.Response {
    /// Creates the response of an archive from a status, header fields and a captured body.
    init(status: Int, headers fields: HTTPFields, body: CapturedBody) {
        let headers = fields.map { HAR.Field($0) }
        let declared = fields[.contentLength].flatMap { Int64($0) }
        self.init(
            status: status,
            cookies: headers.filter { $0.name.lowercased() == "set-cookie" }.map { HAR.Cookie(set: $0.value) },
            headers: headers,
            content: HAR.Content(body, mimeType: fields[.contentType] ?? ""),
            redirectURL: (300..<400).contains(status)
                ? fields[text: .location].map { String(escapingInvalidUTF8: $0.bytes) } ?? "" : "",
            bodySize: fields.isCoded ? declared ?? -1 : body.size
        )
        if fields.isCoded, let declared, declared < body.size { content.compression = body.size - declared }
    }

    /// Sets the error of the exchange.
    mutating func setError(_ error: any Error) {
        self.error = error.localizedDescription
        let code = error is CancellationError ? URLError.Code.cancelled : (error as? URLError)?.code
        errorCode = code?.rawValue
    }
}

extension HAR.Cookie {
    /// Returns the cookies of a `Cookie` header (RFC 6265, section 4.2).
    static func sent(in header: String) -> [HAR.Cookie] {
        header.split(separator: ";").map { HAR.Cookie(pair: $0) }
    }

    /// Creates the cookie of a `Set-Cookie` header (RFC 6265, section 4.1).
    init(set header: String) {
        let parts = header.split(separator: ";", omittingEmptySubsequences: false)
        self.init(pair: parts.first ?? "")
        for part in parts.dropFirst() {
            let (name, value) = Self.pair(part)
            switch name.lowercased() {
            case "path": path = value
            case "domain": domain = value
            case "expires": expires = value
            case "samesite": sameSite = value
            case "httponly": httpOnly = true
            case "secure": secure = true
            default: break
            }
        }
    }

    /// Creates a cookie; a text without `=` is the value of a cookie without a name (RFC 6265bis, section 5.6).
    private init(pair: Substring) {
        let (name, value) = Self.pair(pair)
        if let value { self.init(name: name, value: value) } else { self.init(name: "", value: name) }
    }

    private static func pair(_ text: Substring) -> (name: String, value: String?) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        return (parts.first ?? "", parts.count > 1 ? parts[1] : nil)
    }
}
