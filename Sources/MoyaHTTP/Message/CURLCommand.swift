import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request as a `curl` command for bash or zsh.
///
/// Values of headers that carry credentials are masked, as its mask says.
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
    package static func text(
        for request: URLRequest?,
        sessionHeaders: [String: String],
        mask: SecretMask = .standard
    ) -> String {
        request.flatMap { CURLCommand($0, sessionHeaders: sessionHeaders, mask: mask).text }
            ?? "$ curl command could not be created"
    }

    /// The command: one option a line, the URL last. `nil` where there is no URL.
    package var text: String? {
        guard let url = request.url else { return nil }
        var parts = ["$ curl -v", "-X \(method)"]
        parts += headers.map { header in
            // To curl, "name:" takes a header away, and "name;" is one without a value.
            let value = mask.value(header.value, ofHeader: header.name)
            return "-H \(quoted(value.isEmpty ? "\(header.name);" : "\(header.name): \(value)"))"
        }
        parts += body
        parts.append(quoted(mask.text(of: url)))
        return parts.joined(separator: " \\\n\t")
    }

    private var method: String {
        let method = request.httpMethod ?? "GET"
        let isPlain = method.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-") }
        return isPlain && !method.isEmpty ? method : quoted(method)
    }

    private var headers: [HTTPHeader] {
        var headers = HTTPHeaders(sessionHeaders)
        HTTPHeaders(request.allHTTPHeaderFields ?? [:]).forEach { headers.update($0) }
        return Array(headers)
    }

    private var body: [String] {
        guard let body = request.httpBody else { return [] }
        let contentType = headers.first { $0.name.lowercased() == "content-type" }?.value
        let data = mask.body(body, contentType: contentType)
        var options: [String] = []
        // curl gives a body a content type of its own; an empty header takes it away.
        if contentType == nil { options.append("-H \"Content-Type:\"") }
        // Not String(data:encoding:), which drops a byte order mark.
        let text = String(decoding: data, as: UTF8.self)
        guard text.utf8.elementsEqual(data), !data.contains(0) else {
            return options + ["--data-binary @<(echo \(data.base64EncodedString()) | base64 -d)"]
        }
        // A leading @ would name a file.
        return options + ["\(text.utf8.first == UInt8(ascii: "@") ? "--data-raw" : "-d") \(quoted(text))"]
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
