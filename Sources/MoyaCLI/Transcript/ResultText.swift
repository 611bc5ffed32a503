import Foundation
import Moya

/// The text of a result: a line, and lines with details.
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
                // The step prints the reason.
                self.init(line: "no response", details: [])
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

    /// The headers that are shown.
    private static let shownHeaders: Set<String> = ["location", "www-authenticate"]

    /// The reason phrases of RFC 9110, section 15; not those of the server, as HTTP/2 has none.
    private static let reasons = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content",
        301: "Moved Permanently", 302: "Found",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        422: "Unprocessable Content",
        500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
    ]
}
