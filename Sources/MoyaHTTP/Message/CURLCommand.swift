import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request as a `curl` command for a POSIX shell.
///
/// Values of headers that carry credentials are masked.
package struct CURLCommand: Sendable {
    private let request: URLRequest
    private let sessionHeaders: [String: String]
    private let mask: SecretMask

    /// - Parameter sessionHeaders: What the session adds; the request's own headers win.
    package init(_ request: URLRequest, sessionHeaders: [String: String] = [:], mask: SecretMask = .standard) {
        self.request = request
        self.sessionHeaders = sessionHeaders
        self.mask = mask
    }

    /// The command for a request that there may not be.
    package static func text(for request: URLRequest?, sessionHeaders: [String: String]) -> String {
        request.flatMap { CURLCommand($0, sessionHeaders: sessionHeaders).text }
            ?? "$ curl command could not be created"
    }

    /// The command: one option a line, the URL last. `nil` where there is no URL.
    package var text: String? {
        guard let url = request.url else { return nil }
        var parts = ["$ curl -v", "-X \(request.httpMethod ?? "GET")"]
        parts += headers.map { "-H \(quoted("\($0.name): \(mask.value($0.value, ofHeader: $0.name))"))" }
        parts += body
        parts.append(quoted(url.withoutCredentials.absoluteString))
        return parts.joined(separator: " \\\n\t")
    }

    private var headers: [HTTPHeader] {
        var headers = HTTPHeaders(sessionHeaders)
        HTTPHeaders(request.allHTTPHeaderFields ?? [:]).forEach { headers.update($0) }
        return Array(headers)
    }

    private var body: [String] {
        guard let data = request.httpBody else { return [] }
        var options: [String] = []
        // curl gives a body a content type of its own; an empty header takes it away.
        if !headers.contains(where: { $0.name.lowercased() == "content-type" }) {
            options.append("-H \"Content-Type:\"")
        }
        guard let text = String(data: data, encoding: .utf8), !text.utf8.contains(0) else {
            return options + ["--data-binary @<(echo \(data.base64EncodedString()) | base64 -d)"]
        }
        // A leading @ would name a file.
        return options + ["\(text.hasPrefix("@") ? "--data-raw" : "-d") \(quoted(text))"]
    }

    /// The text in double quotes, with all that a shell would interpret there escaped.
    private func quoted(_ text: String) -> String {
        var result = "\""
        for character in text.unicodeScalars {
            if "\\\"$`".unicodeScalars.contains(character) { result += "\\" }
            result.unicodeScalars.append(character)
        }
        return result + "\""
    }
}
