import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request as a `curl` command for bash or zsh.
///
/// Header values with credentials are masked. No file is opened and no stream is read; content that is not
/// available is replaced by the name of a nonexistent file, so that the command fails with an explanation.
package struct CURLCommand: Sendable {
    /// The content that replaces the body of the request.
    package enum Content: Sendable {
        /// A body.
        case body(HTTPBody)
        /// A form, and the body that was created from it.
        case form(MultipartBody, body: HTTPBody)
    }

    /// The maximum number of body bytes in a command, for readable logs and for Linux, where an argument has at
    /// most 128 KiB.
    static let dataLimit = 64_000

    let mask: SecretMask
    private let request: URLRequest
    private let content: Content?
    private let headers: HTTPHeaders

    /// Creates a command.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - content: The content that replaces the body of the request.
    ///   - sessionHeaders: The headers of the session, which those of the request override.
    ///   - mask: The mask for secrets.
    package init(
        _ request: URLRequest,
        content: Content? = nil,
        sessionHeaders: [String: String] = [:],
        mask: SecretMask = .standard
    ) {
        self.request = request
        // In the same order as in the session.
        self.content =
            content ?? request.httpBody.map { .body(.data($0)) } ?? request.httpBodyStream.map { .body(.stream($0)) }
        self.mask = mask
        var headers = HTTPHeaders(sessionHeaders)
        HTTPHeaders(request.allHTTPHeaderFields ?? [:]).forEach { headers.update($0) }
        self.headers = headers
    }

    /// Returns the command for a request, or a placeholder if there is none.
    package static func text(
        for request: URLRequest?,
        content: Content? = nil,
        sessionHeaders: [String: String],
        mask: SecretMask = .standard
    ) -> String {
        request.flatMap { CURLCommand($0, content: content, sessionHeaders: sessionHeaders, mask: mask).text }
            ?? "$ curl command could not be created"
    }

    /// The command, with one option per line and the URL last; `nil` if there is no URL.
    package var text: String? {
        // User name and password are not sent in a request, so they are omitted here.
        guard let url = request.url.map({ mask.text(of: $0.withoutCredentials) }) else { return nil }
        let (body, isForm) = bodyOptions
        var parts = ["$ curl -v", method] + URLText(url).options
        for header in headers where isSent(header) && !(isForm && header.name.lowercased() == "content-type") {
            // In curl, "name:" removes a header, and "name;" is a header without a value.
            let value = mask.value(header.value.trimmingCharacters(in: .whitespaces), ofHeader: header.name)
            parts.append("-H \((value.isEmpty ? "\(header.name);" : "\(header.name): \(value)").shellWord)")
        }
        parts += body
        parts.append(url.shellWord)
        return parts.joined(separator: " \\\n\t")
    }

    private var method: String {
        let method = request.httpMethod ?? "GET"
        // With -X, curl would wait for the body that a Content-Length announces.
        if method == "HEAD", content == nil { return "--head" }
        let isPlain = method.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-") }
        return "-X \(isPlain && !method.isEmpty ? method : method.shellWord)"
    }

    /// Returns whether curl should send the header.
    ///
    /// Framing headers are added by curl, and an invalid name could be a file name for curl.
    private func isSent(_ header: HTTPHeader) -> Bool {
        guard let name = HTTPField.Name(header.name) else { return false }
        return name != .contentLength && name != .transferEncoding
    }

    /// The options for the body, and whether they make curl create a form with its own content type.
    private var bodyOptions: (options: [String], isForm: Bool) {
        switch content {
        case nil:
            return ([], false)
        case .body(let body):
            return (options(for: body, contentType: headers["Content-Type"]), false)
        case .form(let form, let body):
            let contentType = headers["Content-Type"]
            if contentType == form.contentType, !body.isGzipped, let options = formOptions(for: form) {
                return (options, true)
            }
            if hidesPart(of: form) { return ([unwritten("a form with secrets")], false) }
            return (options(for: body, contentType: contentType), false)
        }
    }
}

/// The options that make curl send a URL unchanged.
private struct URLText {
    let options: [String]

    init(_ url: String) {
        let authority = url.range(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let target = authority.drop { !"/?#".contains($0) }
        let segments = target.prefix { !"?#".contains($0) }.lowercased().replacingOccurrences(of: "%2e", with: ".")
            .split(separator: "/")
        var options: [String] = []
        if target.contains(where: "[]{}".contains) { options.append("--globoff") }
        if segments.contains(where: { $0 == "." || $0 == ".." }) { options.append("--path-as-is") }
        self.options = options
    }
}
