import Foundation
import Moya

extension Workload {
    /// The workloads for the steps from a target to a request.
    public static let building: [Workload] = [
        Workload("endpoint", "Endpoint of a target") { provider.endpoint(.anyUser) },
        Workload("request", "Request of an endpoint, plain") { try plain.urlRequest() },
        Workload("request-json", "Request of an endpoint, value as JSON") { try json.urlRequest() },
        Workload("url-encoding", "URL encoding of parameters, query") {
            try URLEncoding.queryString.encode(bareRequest, with: parameters)
        },
        Workload("form-encoding", "URL encoding of parameters, body") {
            try URLEncoding.httpBody.encode(bareRequest, with: parameters)
        },
        Workload("json-encoding", "JSON encoding of parameters") {
            try JSONEncoding.default.encode(bareRequest, with: parameters)
        },
        Workload("multipart", "Multipart framing of three parts in memory") {
            let form = RequestMultipartFormData()
            form.append(Data("The Octocat".utf8), withName: "name")
            form.append(User.json, withName: "user", fileName: "user.json", mimeType: "application/json")
            form.append(photo, withName: "photo", fileName: "photo.jpg", mimeType: "image/jpeg")
            return try form.encode()
        },
    ]

    private static let provider = stubbedProvider()
    private static let plain = provider.endpoint(.anyUser)
    private static let json = provider.endpoint(BenchTarget(.echo(.sample), at: BenchTarget.anywhere))
    private static let bareRequest = URLRequest(url: BenchTarget.anywhere)
    private static let photo = Data(repeating: 0x5A, count: 4_096)

    /// Parameters of all kinds: texts, numbers, a Boolean, an array and a dictionary.
    private static let parameters: [String: any Sendable] = [
        "query": "Müller & Söhne",
        "page": 2,
        "per_page": 50,
        "is_open": true,
        "labels": ["bug", "help wanted", "swift"],
        "range": ["from": "2026-01-01", "to": "2026-12-31"],
    ]
}
