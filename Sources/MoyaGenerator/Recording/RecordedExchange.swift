/// A request of recorded traffic with its response.
struct RecordedExchange {
    struct Body {
        var mediaType: String
        var text: String?
        var fields: [(name: String, value: String)] = []
    }

    var method: String
    /// The scheme, the host and the port of the URL.
    var origin: String
    var path: [String]
    var query: [(name: String, value: String)]
    var headers: [(name: String, value: String)]
    var body: Body?
    var status: Int
    var responseHeaders: [(name: String, value: String)]
    var responseBody: Body?
    var location: SourceLocation

    func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

    /// Whether the exchange belongs to an API and not to the pages and files around it.
    var isAPI: Bool {
        guard status > 0, !["OPTIONS", "CONNECT", "TRACE"].contains(method), !(300...399).contains(status) else {
            return false
        }
        if responseBody.map({ MediaKind($0.mediaType) == .json && $0.text?.isEmpty == false }) == true { return true }
        if method != "GET", let body { return [.json, .form, .multipart].contains(MediaKind(body.mediaType)) }
        return status == 204 || (method != "GET" && responseBody?.text?.isEmpty != false)
    }
}

/// Reads the exchanges of a HAR file.
enum HARReader {
    static func read(_ path: String, files: DocumentFiles) throws(GeneratorFailure) -> [RecordedExchange] {
        let root = try files.root(of: path)
        guard let entries = root["log"]?["entries"], entries.node.elements != nil else {
            throw GeneratorFailure([
                GeneratorDiagnostic(
                    .error,
                    .structure,
                    "The file has no `log.entries`: it is no HAR file.",
                    at: root.location
                )
            ])
        }
        return entries.elements.compactMap(exchange)
    }

    private static func exchange(_ entry: DocumentCursor) -> RecordedExchange? {
        guard let request = entry["request"], let response = entry["response"], let method = request.text("method"),
            let url = request.text("url"), let parts = URLParts(url)
        else { return nil }
        let status = response.text("status").flatMap { Int($0) } ?? 0
        var body: RecordedExchange.Body?
        if let data = request["postData"], data.node.members != nil {
            body = RecordedExchange.Body(
                mediaType: data.text("mimeType") ?? "",
                text: data.text("text"),
                fields: pairs(data["params"])
            )
        }
        var responseBody: RecordedExchange.Body?
        if let content = response["content"], content.node.members != nil {
            let isEncoded = content.text("encoding") == "base64"
            let text = content.text("text").flatMap { isEncoded ? Base64Text.decode($0) : $0 }
            responseBody = RecordedExchange.Body(mediaType: content.text("mimeType") ?? "", text: text)
        }
        return RecordedExchange(
            method: method.uppercased(),
            origin: parts.origin,
            path: parts.path,
            query: parts.query,
            headers: pairs(request["headers"]),
            body: body,
            status: status,
            responseHeaders: pairs(response["headers"]),
            responseBody: responseBody,
            location: entry.location
        )
    }

    private static func pairs(_ cursor: DocumentCursor?) -> [(name: String, value: String)] {
        (cursor?.elements ?? []).compactMap { pair in
            pair.text("name").map { ($0, pair.text("value") ?? "") }
        }
    }
}
