import Foundation
import Moya

/// The text of a request: a line, and lines with details.
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
