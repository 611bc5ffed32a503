import Foundation
import Moya

/// What came back, in words: a line, and lines below it.
struct ResultText: Equatable {
    let line: String
    let details: [String]

    init(_ result: Result<Response, MoyaError>) {
        switch result {
        case .success(let response):
            self.init(response)
        case .failure(let error):
            if let response = error.response {
                self.init(response)
            } else {
                // Why, the step itself will say.
                self.init(line: "no answer", details: [])
            }
        }
    }

    private init(_ response: Response) {
        let count = response.data.count
        let reason = Self.reasons[response.statusCode].map { " \($0)" } ?? ""
        self.init(
            line: "\(response.statusCode)\(reason)  \(count) \(count == 1 ? "byte" : "bytes")",
            details: (response.response?.headers ?? []).filter { Self.shownHeaders.contains($0.name.lowercased()) }
                .map(\.description)
        )
    }

    private init(line: String, details: [String]) {
        self.line = line
        self.details = details
    }

    /// Headers that say what to do next.
    private static let shownHeaders: Set<String> = ["location", "www-authenticate"]

    /// RFC 9110, section 15. Not as the server words them: in HTTP/2 it has no words for them.
    private static let reasons = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content",
        301: "Moved Permanently", 302: "Found",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        422: "Unprocessable Content",
        500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
    ]
}
