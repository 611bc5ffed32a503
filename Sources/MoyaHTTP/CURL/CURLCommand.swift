import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request as a `curl` command for bash or zsh, which sends the same.
///
/// Values of headers that carry credentials are masked, as its mask says. To write the command no file is opened and no
/// stream is read; what it cannot hold is the name of a file that is not there, so that the command fails and says why.
package struct CURLCommand: Sendable {
    /// What is sent in place of the body in the request.
    package enum Content: Sendable {
        /// A body as it is.
        case body(HTTPBody)
        /// A form, and the body that was made of it.
        case form(MultipartBody, body: HTTPBody)
    }

    /// Of a body's bytes no more are written out: a log is read by people, and an argument has 128 KiB on Linux.
    static let dataLimit = 64_000

    let mask: SecretMask
    private let request: URLRequest
    private let content: Content?
    private let headers: HTTPHeaders

    /// - Parameters:
    ///   - content: What is sent in place of the body in the request.
    ///   - sessionHeaders: What the session adds; the request's own headers win.
    package init(
        _ request: URLRequest,
        content: Content? = nil,
        sessionHeaders: [String: String] = [:],
        mask: SecretMask = .standard
    ) {
        self.request = request
        // As the session takes them.
        self.content =
            content ?? request.httpBody.map { .body(.data($0)) } ?? request.httpBodyStream.map { .body(.stream($0)) }
        self.mask = mask
        var headers = HTTPHeaders(sessionHeaders)
        HTTPHeaders(request.allHTTPHeaderFields ?? [:]).forEach { headers.update($0) }
        self.headers = headers
    }

    /// The command for a request that there may not be.
    package static func text(
        for request: URLRequest?,
        content: Content? = nil,
        sessionHeaders: [String: String],
        mask: SecretMask = .standard
    ) -> String {
        request.flatMap { CURLCommand($0, content: content, sessionHeaders: sessionHeaders, mask: mask).text }
            ?? "$ curl command could not be created"
    }

    /// The command: one option a line, the URL last. `nil` where there is no URL.
    package var text: String? {
        // User name and password are not sent, so they aren't here.
        guard let url = request.url.map({ mask.text(of: $0.withoutCredentials) }) else { return nil }
        let (body, isForm) = bodyOptions
        var parts = ["$ curl -v", method] + URLText(url).options
        for header in headers where isSent(header) && !(isForm && header.name.lowercased() == "content-type") {
            // To curl, "name:" takes a header away, and "name;" is one without a value.
            let value = mask.value(header.value.trimmingCharacters(in: .whitespaces), ofHeader: header.name)
            parts.append("-H \((value.isEmpty ? "\(header.name);" : "\(header.name): \(value)").shellWord)")
        }
        parts += body
        parts.append(url.shellWord)
        return parts.joined(separator: " \\\n\t")
    }

    private var method: String {
        let method = request.httpMethod ?? "GET"
        // Told with -X, curl would wait for the body that a Content-Length announces.
        if method == "HEAD", content == nil { return "--head" }
        let isPlain = method.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-") }
        return "-X \(isPlain && !method.isEmpty ? method : method.shellWord)"
    }

    /// The framing is not the request's business. And a name that is none may be that of a file to curl.
    private func isSent(_ header: HTTPHeader) -> Bool {
        guard let name = HTTPField.Name(header.name) else { return false }
        return name != .contentLength && name != .transferEncoding
    }

    /// The options for the body, and whether they make curl write a form, with a content type of its own.
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

/// What curl must be told about a URL so that it takes it as it is.
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
