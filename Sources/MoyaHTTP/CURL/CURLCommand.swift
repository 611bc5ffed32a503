import Foundation
import HTTPTypes

/// A request as a `curl` command for bash or zsh.
///
/// Header values with credentials are masked. The command is created without opening files or reading streams. The name of a
/// nonexistent file replaces content that is not available, so that the command fails with an explanation.
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
        // The session looks for the body in the same order.
        self.content =
            content ?? request.httpBody.map { .body(.data($0)) } ?? request.httpBodyStream.map { .body(.stream($0)) }
        self.mask = mask
        var headers = HTTPHeaders(sessionHeaders)
        HTTPHeaders(request.allHTTPHeaderFields ?? [:]).forEach { headers.update($0) }
        self.headers = headers
    }

    /// Returns the command for a request; a placeholder if there is no request, or no URL in it.
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
        // A request does not contain the user name and password of its URL, so the command omits them.
        guard let url = request.url.map({ mask.text(of: $0.withoutCredentials) }) else { return nil }
        let (body, isForm) = bodyOptions
        var parts = ["$ curl -v", method] + URLText(url).options
        if decodesBody { parts.append("--compressed") }
        for header in headers where isSent(header) && !(isForm && header.name.lowercased() == "content-type") {
            // In curl, "name:" removes a header, and "name;" is a header without a value.
            let value = mask.value(header.value.trimmingCharacters(in: .whitespaces), ofHeader: header.name)
            parts.append("-H \((value.isEmpty ? "\(header.name);" : "\(header.name): \(value)").shellWord)")
        }
        parts += body
        if isEmptyBodyAnnounced { parts.append("-H \"Content-Length: 0\"") }
        parts.append(url.shellWord)
        return parts.joined(separator: " \\\n\t")
    }

    private var method: String {
        let method = request.httpMethod ?? "GET"
        // With -X HEAD, curl would wait for the body that the response's Content-Length announces.
        if method == "HEAD", content == nil { return "--head" }
        let isPlain = method.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-") }
        return "-X \(isPlain && !method.isEmpty ? method : method.shellWord)"
    }

    /// Whether curl needs an option to decode the response's body; the header `Accept-Encoding` only requests an encoded body.
    private var decodesBody: Bool {
        let codings = headers["Accept-Encoding"]?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
        return !codings.isEmpty && codings != "identity"
    }

    /// Whether the request declares an empty body, which curl does not do by default (RFC 9110, section 8.6).
    private var isEmptyBodyAnnounced: Bool {
        content == nil && ["POST", "PUT", "PATCH", "DELETE"].contains(request.httpMethod ?? "")
    }

    /// Returns whether curl should send the header.
    ///
    /// curl adds framing headers itself, and could read an invalid header name as the name of a file.
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
            if hasSecretPart(in: form) { return ([unwritten("a form with secrets")], false) }
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

extension CURLCommand {
    /// Returns the options that make curl send a body.
    func options(for body: HTTPBody, contentType: String?) -> [String] {
        // curl adds a content type to a body, unless an empty header removes it.
        let data = body.data.map { mask.body($0, contentType: contentType) }
        return (contentType == nil ? ["-H \"Content-Type:\""] : []) + [
            data.map(option) ?? option(for: body, contentType)
        ]
    }

    /// Returns an option with which the shell reports the missing content, and curl fails before it sends anything.
    func unwritten(_ what: String) -> String { "--data-binary @- < \(missingFile(what).shellWord)" }

    /// Returns the name of a nonexistent file, which describes the required content.
    func missingFile(_ what: String) -> String { "(put \(what) into a file, and its name here)" }

    private func option(for data: Data) -> String {
        guard data.count <= Self.dataLimit else { return unwritten(BodySegment.bytes(data).account) }
        guard let text = data.shellText else { return "--data-binary @<(\(data.base64Command))" }
        // With -d, curl would read the text after a leading @ as the name of a file.
        return "\(text.utf8.first == UInt8(ascii: "@") ? "--data-raw" : "-d") \(text.shellWord)"
    }

    private func option(for body: HTTPBody, _ contentType: String?) -> String {
        let commands = body.segments.compactMap { $0.shellCommand { mask.body($0, contentType: contentType) } }
        let byteCount = body.segments.reduce(0) { $0 + $1.byteCount }
        guard commands.count == body.segments.count, byteCount <= Self.dataLimit else {
            let accounts = body.segments.filter { $0.shellCommand { $0 } == nil }.map(\.account)
            return unwritten(accounts.count == 1 && body.segments.count == 1 ? accounts[0] : "the body")
        }
        if !body.isGzipped, body.segments.count == 1, let file = body.segments[0].file {
            return "--data-binary \("@\(file)".shellWord)"
        }
        let script = commands.isEmpty ? ":" : commands.joined(separator: "; ")
        return "--data-binary @<(\(body.isGzipped ? "{ \(script); } | gzip -c" : script))"
    }
}

extension Data {
    /// The bytes as text, if a command line argument can contain them.
    var shellText: String? {
        // String(data:encoding:) would drop a byte order mark.
        let text = String(decoding: self, as: UTF8.self)
        return text.utf8.elementsEqual(self) && !contains(0) ? text : nil
    }

    /// A shell command that prints the bytes.
    var base64Command: String { "echo \(base64EncodedString()) | base64 -d" }
}

extension BodySegment {
    /// The path of a file segment.
    var file: String? {
        if case .file(let url) = content, url.isFileURL { url.path } else { nil }
    }

    /// The number of bytes in memory.
    var byteCount: Int {
        if case .bytes(let data) = content { data.count } else { 0 }
    }

    /// A description of the segment.
    var account: String {
        func supply(_ what: String, _ length: Int64?) -> String {
            length.map { "\(what) (\($0) bytes)" } ?? what
        }
        return switch content {
        case .bytes(let data): "the \(data.count) bytes"
        case .file: "the file"
        case .stream(let stream): supply("the stream", stream.length)
        case .sequence(let sequence): supply("the async sequence", sequence.length)
        }
    }

    /// Returns a shell command that prints the segment; `nil` if only this process can read it.
    fileprivate func shellCommand(masking mask: (Data) -> Data) -> String? {
        switch content {
        case .bytes(let secret):
            let data = mask(secret)
            return data.shellText.map { "printf %s \($0.shellWord)" } ?? data.base64Command
        case .file: return file.map { "cat \($0.shellWord)" }
        case .stream, .sequence: return nil
        }
    }
}

extension CURLCommand {
    /// Returns an option for each part; `nil` if curl cannot send one of them exactly.
    func formOptions(for form: MultipartBody) -> [String]? {
        guard !form.parts.isEmpty else { return nil }
        var room = Self.dataLimit
        var options: [String] = []
        for part in form.parts {
            guard let option = formOption(for: part, room: &room) else { return nil }
            options.append(option)
        }
        return options
    }

    /// Returns whether a part in memory has a secret name.
    func hasSecretPart(in form: MultipartBody) -> Bool {
        form.parts.contains { part in
            mask.isSecret(part.name ?? "") && part.body.segments.contains { $0.byteCount > 0 }
        }
    }

    /// Returns the option for a part, and subtracts the part's bytes from `room`: the number of bytes that the command may still have.
    private func formOption(for part: MultipartBody.Part, room: inout Int) -> String? {
        // In curl, the first equals sign ends the name, and an empty name is omitted.
        guard let field = part.formField, !field.name.isEmpty, !field.name.contains("="),
            part.body.segments.count <= 1, let suffix = suffix(fileName: field.fileName, mimeType: field.mimeType)
        else { return nil }
        let name = field.name
        // A file needs a media type; otherwise curl selects one.
        let isFile = field.fileName != nil
        guard !isFile || field.mimeType != nil else { return nil }
        let from = isFile ? "@" : "<"
        let segment = part.body.segments.first ?? .bytes(Data())
        switch segment.content {
        case .file:
            guard field.mimeType != nil, let file = segment.file else { return nil }
            return "-F \("\(name)=\(from)\(file.curlQuoted)\(suffix)".shellWord)"
        case .bytes(let data) where mask.isSecret(part.name ?? "") || data.count <= room:
            let data =
                mask.isSecret(part.name ?? "")
                ? Data(SecretMask.placeholder.utf8) : mask.body(data, contentType: field.mimeType)
            room -= data.count
            guard let text = data.shellText else {
                let end = suffix.isEmpty ? "" : suffix.shellWord
                return "-F \("\(name)=\(from)".shellWord)<(\(data.base64Command))\(end)"
            }
            if suffix.isEmpty { return "--form-string \("\(name)=\(text)".shellWord)" }
            return "-F \("\(name)=\(text.curlQuoted)\(suffix)".shellWord)"
        case .bytes, .stream, .sequence:
            return "-F \("\(name)=\(from)\(missingFile(segment.account).curlQuoted)\(suffix)".shellWord)"
        }
    }

    /// Returns the suffix after the content of a part; `nil` if curl would interpret it differently.
    private func suffix(fileName: String?, mimeType: String?) -> String? {
        guard mimeType?.isPlainMIMEType ?? true else { return nil }
        let type = mimeType.map { ";type=\($0)" } ?? ""
        return (fileName.map { ";filename=\($0.curlQuoted)" } ?? "") + type
    }
}

extension String {
    /// The text quoted for a value in curl's form option.
    fileprivate var curlQuoted: String {
        "\"\(replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\""))\""
    }

    /// Whether the text is a media type such as `text/plain` or `text/plain; charset=utf-8`.
    ///
    /// curl could read other texts as options.
    fileprivate var isPlainMIMEType: Bool {
        let parts = components(separatedBy: "; charset=")
        let types = parts[0].components(separatedBy: "/")
        let isToken = { (text: String) in (1...100).contains(text.utf8.count) && text.utf8.allSatisfy(\.isInMIMEType) }
        return types.count == 2 && parts.count <= 2 && types.allSatisfy(isToken)
            && parts.dropFirst().allSatisfy(isToken)
    }
}

extension UInt8 {
    fileprivate var isInMIMEType: Bool { isAlphanumeric || ".+-_".utf8.contains(self) }
}

extension String {
    /// The text as one word for bash and zsh, interactive or in a script.
    ///
    /// A word cannot contain NUL.
    var shellWord: String {
        // A terminal interprets control characters as keys: a tab would complete a file name.
        unicodeScalars.contains { $0.isControl && $0 != "\n" } ? ansiQuoted : doubleQuoted
    }

    /// The text in double quotes, escaped for a shell.
    private var doubleQuoted: String {
        var result = "\""
        var isAtLineStart = false
        for scalar in unicodeScalars {
            switch scalar {
            case "\\", "\"", "$", "`":
                result += "\\\(scalar)"
            case "!":
                // In an interactive shell, `!` would expand the history, even after a backslash, and the backslash would remain.
                result += "\"'!'\""
            case "^" where isAtLineStart:
                result += "\"'^'\""
            default:
                result.unicodeScalars.append(scalar)
            }
            isAtLineStart = scalar == "\n"
        }
        return result + "\""
    }

    /// The text in ANSI-C quotes, with escapes for control characters (POSIX.1-2024, section 2.2.4).
    private var ansiQuoted: String {
        var result = "$'"
        for scalar in unicodeScalars {
            switch scalar {
            case "\\", "'": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.isControl || scalar == "!":
                let digits = String(scalar.value, radix: 8)
                result += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "'"
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || value == 0x7F }
}
