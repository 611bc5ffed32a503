import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a session brings back: the whole response to one request.
public struct SessionResponse: Sendable {
    /// The request that was sent.
    public let request: URLRequest
    /// The status code.
    public let statusCode: Int
    /// The headers, in the order in which they came.
    public let headers: HTTPFields
    /// The body; empty if there was none.
    public let data: Data

    /// Makes a response.
    public init(request: URLRequest, statusCode: Int, headers: HTTPFields = [:], data: Data = Data()) {
        self.request = request
        self.statusCode = statusCode
        self.headers = headers
        self.data = data
    }

    /// Makes Foundation's form of the status and headers. It is costly, so it is made when asked for.
    ///
    /// Headers that occur several times are joined by a comma, as RFC 9110, section 5.3, allows.
    public func makeHTTPURLResponse() -> HTTPURLResponse? {
        guard let url = request.url else { return nil }
        var fields: [String: String] = [:]
        var spellings: [String: String] = [:]
        for field in headers {
            let name = spellings[field.name.canonicalName, default: field.name.rawName]
            spellings[field.name.canonicalName] = name
            fields[name] = fields[name].map { "\($0), \(field.value)" } ?? field.value
        }
        return HTTPURLResponse(url: url, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}
