import Foundation
import MoyaTesting
import Testing

extension HTTPTransport {
    /// Sends a request and reads the response's body to its end.
    func ask(
        _ text: String,
        method: HTTPMethod = .get,
        headers: HTTPFields = [:],
        body: HTTPBody? = nil
    ) async throws -> (status: Int, text: String) {
        let url = try #require(URL(string: text))
        let response = try await send(TransportRequest(method: method, url: url, headers: headers, body: body))
        var data = Data()
        for try await piece in TransportBodyStream(response.body) { data.append(piece) }
        return (response.status, String(decoding: data, as: UTF8.self))
    }
}

extension HAR {
    /// Returns an archive of GET requests by URL, with the texts of their responses.
    static func texts(_ pairs: KeyValuePairs<String, String>) -> HAR {
        HAR(
            entries: pairs.map { url, text in
                Entry(
                    startedDateTime: Date(timeIntervalSince1970: 0),
                    request: Request(method: "GET", url: url),
                    response: Response(
                        status: 200,
                        headers: [Field(name: "Content-Type", value: "text/plain")],
                        content: Content(size: Int64(text.utf8.count), mimeType: "text/plain", text: text)
                    )
                )
            }
        )
    }
}
