import Foundation
import Moya

/// The text of a result: one line, and further lines with details.
struct ResultText: Equatable {
    let line: String
    /// The source of the response, if it is not the network.
    var source: String?
    let details: [String]

    init(_ result: Result<Response, MoyaError>) {
        switch result {
        case .success(let response):
            self.init(response)
        case .failure(let error):
            if let response = error.response {
                self.init(response)
            } else {
                // The step prints the error.
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
        source = Self.sources[response.source]
    }

    private init(line: String, details: [String]) {
        self.line = line
        self.details = details
    }

    private static let sources: [ResponseSource: String] = [
        .cache: "from the cache", .revalidated: "from the cache, confirmed by a 304", .stale: "from the cache, stale",
        .sample: "a sample",
    ]

    /// The headers that are shown.
    private static let shownHeaders: Set<String> = ["location", "www-authenticate"]

    /// The reason phrases of RFC 9110, section 15.
    ///
    /// The server's phrase is not used, because HTTP/2 has no reason phrases.
    private static let reasons = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content",
        301: "Moved Permanently", 302: "Found",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        422: "Unprocessable Content",
        500: "Internal Server Error", 502: "Bad Gateway", 503: "Service Unavailable",
    ]
}

/// The text of a request: one line, and further lines with details.
struct RequestText: Equatable {
    let line: String
    let details: [String]

    init(_ request: URLRequest) {
        let parts = request.url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        let query = parts?.percentEncodedQuery.map { "?\($0)" } ?? ""
        line = "\(request.httpMethod ?? "GET") \(parts?.percentEncodedPath ?? "")\(query)"
        // A header's description masks credentials.
        let headers = request.headers.map(\.description)
        details = headers + (request.httpBody.map { [BodyText($0).description] } ?? [])
    }
}

/// An error in one line.
struct ErrorText: CustomStringConvertible, Equatable {
    let description: String

    init(_ error: any Error) {
        guard case MoyaError.underlying(let cause as URLError, _) = error else {
            description = error.localizedDescription
            return
        }
        description = "\(cause.localizedDescription) (URLError \(cause.code.rawValue))"
    }
}

/// A body in one line.
struct BodyText: CustomStringConvertible, Equatable {
    let description: String

    init(_ data: Data) {
        guard let text = String(data: data, encoding: .utf8) else {
            description = "(\(data.count) bytes)"
            return
        }
        let line = text.replacingOccurrences(of: "\n", with: " ")
        description = line.count > Self.limit ? "\(line.prefix(Self.limit))…" : line
    }

    private static let limit = 200
}
