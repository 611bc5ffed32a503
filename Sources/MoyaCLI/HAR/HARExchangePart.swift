import Foundation
import Moya
import MoyaHAR

/// The section of a page with the details of one exchange.
struct HARExchangePart {
    private let row: HARReport.Row

    init(_ row: HARReport.Row) { self.row = row }

    var text: String {
        let (request, response) = (row.entry.request, row.entry.response)
        var part = "<div class=\"details\">\n"
        part += "<p class=\"full\">\(HTML("\(request.method) \(request.url)").text)</p>\n"
        part += table("General", general)
        part += table("Timings", row.phases.map { ($0.kind.rawValue, HARReport.Row.text(ofMilliseconds: $0.duration)) })
        part += table("Query", request.queryString.map { ($0.name, $0.value) })
        part += table("Request headers", request.headers.map { ($0.name, $0.value) })
        if let body = request.postData {
            part += table("Form", form(body))
            part += self.body(
                "Request body",
                data: body.data,
                text: body.text,
                isBinary: body.encoding != nil,
                note: body.comment,
                size: request.bodySize
            )
        }
        part += table("Response headers", response.headers.map { ($0.name, $0.value) })
        let content = response.content
        if content.size != 0 || content.text != nil {
            part += body(
                "Response body",
                data: content.data,
                text: content.text,
                isBinary: content.encoding != nil,
                note: content.comment,
                size: content.size
            )
        }
        return part + messages + command + "</div>"
    }

    /// The messages of a WebSocket.
    private var messages: String {
        let start = row.entry.startedDateTime
        let items = row.entry.webSocketMessages.prefix(Self.mostMessages).map { message in
            let time = HARReport.Row.text(ofMilliseconds: max(0, message.time.timeIntervalSince(start) * 1000))
            return ("\(message.sender == .client ? "↑" : "↓") \(time)", text(of: message))
        }
        let rest = row.entry.webSocketMessages.count - items.count
        return table("Messages", items + (rest > 0 ? [("…", "\(rest) more messages")] : []))
    }

    private func text(of message: HAR.WebSocketMessage) -> String {
        switch message.opcode {
        case 1: return message.data
        case 8:
            guard let closure = message.closure else { return "close" }
            return closure.reason.isEmpty ? "close \(closure.code)" : "close \(closure.code): \(closure.reason)"
        default: return "\(ByteCount(Int64(message.bytes?.count ?? 0))) of binary data"
        }
    }

    /// The maximum number of messages on a page.
    private static let mostMessages = 1_000

    /// The fields of a form, decoded.
    private func form(_ body: HAR.PostData) -> [(String, String)] {
        if !body.params.isEmpty { return body.params.map { ($0.name, $0.value ?? $0.fileName ?? "") } }
        guard body.mimeType.lowercased().hasPrefix("application/x-www-form-urlencoded"), let data = body.data else {
            return []
        }
        return String(decoding: data.prefix(Self.longestFormatted), as: UTF8.self).split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { part in
                let text = part.replacing("+", with: " ")
                return text.removingPercentEncoding ?? String(text)
            }
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    /// The request as a cURL command.
    ///
    /// A style makes one click select the whole command, because the page has no scripts.
    private var command: String {
        let recorded = row.entry.request
        guard let url = URL(string: recorded.url) else { return "" }
        var request = URLRequest(url: url)
        request.httpMethod = recorded.method
        // HTTP/2 pseudo-headers, whose names begin with a colon, are omitted.
        for header in recorded.headers where !header.name.hasPrefix(":") {
            request.addValue(header.value, forHTTPHeaderField: header.name)
        }
        request.httpBody = recorded.postData?.data
        guard let text = CURLCommand(request).text, text.utf8.count <= Self.longestBody else { return "" }
        let content = HTML(String(text.dropFirst(2))).text
        return "<section class=\"body\"><h2>cURL</h2><pre class=\"command\">\(content)</pre></section>\n"
    }

    private var general: [(String, String)] {
        let (request, response) = (row.entry.request, row.entry.response)
        let items: [(String, String?)] = [
            ("Status", "\(row.status) \(response.statusText)"),
            ("Started", row.entry.startedDateTime.formatted(.iso8601.time(includingFractionalSeconds: true))),
            ("Time", row.durationText),
            ("HTTP", response.httpVersion.isEmpty ? request.httpVersion : response.httpVersion),
            ("From", row.entry.source.map { "\($0.rawValue)" }),
            ("Server", row.entry.serverIPAddress),
            ("Connection", row.entry.connection),
            ("Error", response.error),
            ("Redirects to", response.redirectURL),
            ("Body type", response.content.mimeType),
            ("Comment", row.entry.comment),
        ]
        return items.compactMap { name, value in value.flatMap { $0.isEmpty ? nil : (name, $0) } }
    }

    private func table(_ title: String, _ items: [(String, String)]) -> String {
        guard !items.isEmpty else { return "" }
        let rows = items.map { "<tr><th>\(HTML($0.0).text)</th><td>\(HTML(Self.short($0.1)).text)</td></tr>" }
        return "<section><h2>\(title)</h2><table>\(rows.joined())</table></section>\n"
    }

    private func body(
        _ title: String,
        data: Data?,
        text: String?,
        isBinary: Bool,
        note: String?,
        size: Int64
    ) -> String {
        var content: String
        if let data, let readable = String(data: data.prefix(Self.longestFormatted), encoding: .utf8),
            !readable.contains("\u{0}")
        {
            let isWhole = data.count <= Self.longestFormatted
            content = isWhole ? NetworkLoggerPlugin.Configuration.Formatter.jsonDataFormatter(data) : readable
        } else if data != nil {
            content = "\(ByteCount(max(0, size))) of binary data"
        } else {
            content = isBinary ? "in an unknown encoding" : "not in the file"
        }
        content = Self.short(content, limit: Self.longestBody)
        let comment = note.map { "<p>\(HTML($0).text)</p>" } ?? ""
        return "<section class=\"body\"><h2>\(title)</h2>\(comment)<pre>\(HTML(content).text)</pre></section>\n"
    }

    private static func short(_ text: String, limit: Int = 4_000) -> String {
        guard text.utf8.count > limit else { return text }
        return "\(text.prefix(limit))\n… \(ByteCount(Int64(text.utf8.count))) in all"
    }

    /// The maximum length of a body on a page, because a page with complete bodies would open slowly.
    private static let longestBody = 10_000
    private static let longestFormatted = 65_536
}
