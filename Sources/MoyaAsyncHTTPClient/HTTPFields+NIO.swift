#if AsyncHTTPClient && !canImport(Darwin)
import HTTPTypes
import MoyaHTTP
import NIOHTTP1

extension NIOHTTP1.HTTPHeaders {
    init(_ fields: HTTPFields) {
        self.init()
        reserveCapacity(fields.count + 2)
        for field in fields { add(name: field.name.rawName, value: field.value) }
    }
}

extension HTTPFields {
    init(_ headers: NIOHTTP1.HTTPHeaders) {
        self.init()
        reserveCapacity(headers.count)
        for (name, value) in headers {
            // The parser has rejected names that are not tokens.
            guard let name = HTTPField.Name(name) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }
}

extension ResponseHead {
    init(_ head: HTTPResponseHead) {
        self.init(status: Int(head.status.code), headers: HTTPFields(head.headers))
        info = ResponseInfo(head)
    }
}

extension ResponseInfo {
    private static let http11 = Connection(httpVersion: "HTTP/1.1")
    private static let http2 = Connection(httpVersion: "HTTP/2")

    /// Creates the info with the HTTP version.
    ///
    /// AsyncHTTPClient derives the reason phrase from the status, so the phrase is omitted.
    fileprivate init(_ head: HTTPResponseHead) {
        guard head.version.major < 2 else {
            self.init(reasonPhrase: nil) { Self.http2 }
            return
        }
        self.init(reasonPhrase: nil) { [version = head.version] in
            version == .http1_1 ? Self.http11 : Connection(httpVersion: "HTTP/\(version.major).\(version.minor)")
        }
    }
}
#endif
