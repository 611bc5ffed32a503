import Foundation
import MoyaHTTP

extension HAR {
    /// Returns the archive with secrets masked, such as the cookies and tokens of a browser's recording.
    public func masking(_ secrets: HARSecrets) -> HAR {
        var archive = self
        archive.entries = entries.map { $0.masking(secrets) }
        archive.own = own.masking(secrets)
        archive.creator.own = creator.own.masking(secrets)
        archive.browser?.own = browser?.own.masking(secrets) ?? CustomFields()
        archive.pages = pages.map { page in
            var page = page
            page.title = FieldMask(secrets).text(page.title)
            page.own = page.own.masking(secrets)
            page.pageTimings.own = page.pageTimings.own.masking(secrets)
            return page
        }
        return archive
    }
}

extension HAR.Entry {
    /// Returns the entry with secrets masked; a secret that is found in one place is masked everywhere in the entry.
    public func masking(_ secrets: HARSecrets) -> HAR.Entry {
        guard !secrets.isOff else { return self }
        let found = FoundSecrets()
        var entry = self
        entry.request = request.masking(secrets, found)
        entry.response = response.masking(secrets, found)
        entry.own = own.masking(secrets, found)
        entry.timings.own = timings.own.masking(secrets, found)
        entry.comment = comment.map { FieldMask(secrets, found: found).text($0) }
        let scrubber = SecretScrubber(found)
        guard !scrubber.isEmpty else { return entry }
        entry.request.scrub(scrubber)
        entry.response.scrub(scrubber)
        entry.own.scrub(scrubber)
        entry.timings.own.scrub(scrubber)
        entry.comment = entry.comment.map { scrubber.scrubbing($0) }
        return entry
    }
}

extension HAR.Request {
    /// Returns the request with secrets masked; a secret that is found in one place is masked everywhere in the
    /// request.
    public func masking(_ secrets: HARSecrets) -> HAR.Request {
        guard !secrets.isOff else { return self }
        let found = FoundSecrets()
        var request = masking(secrets, found)
        request.scrub(SecretScrubber(found))
        return request
    }

    fileprivate func masking(_ secrets: HARSecrets, _ found: FoundSecrets) -> HAR.Request {
        let mask = FieldMask(secrets, found: found)
        var request = self
        request.url = mask.url(url)
        request.headers = headers.map { mask.header($0).maskingMembers(secrets, found) }
        request.queryString = mask.parameters(queryString).map { $0.maskingMembers(secrets, found) }
        request.cookies = cookies.map { mask.cookie($0, in: headers).maskingMembers(secrets, found) }
        request.own = own.masking(secrets, found)
        request.comment = comment.map { mask.text($0) }
        if var body = postData {
            let names = body.params.map(\.name)
            body.params = body.params.map { parameter in
                var parameter = parameter
                parameter.value = parameter.value.map { mask.value($0, of: parameter.name, beside: names) }
                parameter.own = parameter.own.masking(secrets, found)
                return parameter
            }
            let text = BodyMask(secrets, mimeType: body.mimeType, found: found)
            (body.text, body.encoding) = text.text(body.text, body.encoding)
            body.own = body.own.masking(secrets, found)
            request.postData = body
        }
        return request
    }

    fileprivate mutating func scrub(_ scrubber: SecretScrubber) {
        guard !scrubber.isEmpty else { return }
        url = scrubber.scrubbing(url: url)
        headers = headers.map { $0.scrubbingHeader(scrubber) }
        queryString = queryString.map { $0.scrubbing(scrubber) }
        cookies = cookies.map { $0.scrubbing(scrubber) }
        own.scrub(scrubber)
        comment = comment.map { scrubber.scrubbing($0) }
        guard var body = postData else { return }
        body.params = body.params.map { parameter in
            var parameter = parameter
            parameter.value = parameter.value.map { scrubber.scrubbing($0) }
            parameter.fileName = parameter.fileName.map { scrubber.scrubbing($0) }
            parameter.comment = parameter.comment.map { scrubber.scrubbing($0) }
            parameter.own.scrub(scrubber)
            return parameter
        }
        body.text = body.text.map { BodyMask.text($0, body.encoding, changing: { scrubber.scrubbing($0) }) }
        body.comment = body.comment.map { scrubber.scrubbing($0) }
        body.own.scrub(scrubber)
        postData = body
    }
}

extension HAR.Response {
    /// Returns the response with secrets masked; a secret that is found in one place is masked everywhere in the
    /// response.
    public func masking(_ secrets: HARSecrets) -> HAR.Response {
        guard !secrets.isOff else { return self }
        let found = FoundSecrets()
        var response = masking(secrets, found)
        response.scrub(SecretScrubber(found))
        return response
    }

    fileprivate func masking(_ secrets: HARSecrets, _ found: FoundSecrets) -> HAR.Response {
        let mask = FieldMask(secrets, found: found)
        var response = self
        response.headers = headers.map { mask.header($0).maskingMembers(secrets, found) }
        response.cookies = cookies.map { mask.cookie($0, in: headers).maskingMembers(secrets, found) }
        response.redirectURL = mask.url(redirectURL)
        response.error = error.map { mask.text($0) }
        response.comment = comment.map { mask.text($0) }
        response.own = own.masking(secrets, found)
        response.content.own = content.own.masking(secrets, found)
        let body = BodyMask(secrets, mimeType: content.mimeType, found: found)
        (response.content.text, response.content.encoding) = body.text(content.text, content.encoding)
        return response
    }

    fileprivate mutating func scrub(_ scrubber: SecretScrubber) {
        guard !scrubber.isEmpty else { return }
        statusText = scrubber.scrubbing(statusText)
        headers = headers.map { $0.scrubbingHeader(scrubber) }
        cookies = cookies.map { $0.scrubbing(scrubber) }
        redirectURL = scrubber.scrubbing(url: redirectURL)
        error = error.map { scrubber.scrubbing($0) }
        comment = comment.map { scrubber.scrubbing($0) }
        own.scrub(scrubber)
        content.own.scrub(scrubber)
        content.comment = content.comment.map { scrubber.scrubbing($0) }
        content.text = content.text.map { BodyMask.text($0, content.encoding, changing: { scrubber.scrubbing($0) }) }
    }
}

extension HAR.Field {
    fileprivate func maskingMembers(_ secrets: HARSecrets, _ found: FoundSecrets) -> HAR.Field {
        var field = self
        field.own = own.masking(secrets, found)
        return field
    }

    fileprivate func scrubbing(_ scrubber: SecretScrubber) -> HAR.Field {
        var field = self
        field.value = scrubber.scrubbing(value)
        field.comment = comment.map { scrubber.scrubbing($0) }
        field.own.scrub(scrubber)
        return field
    }

    fileprivate func scrubbingHeader(_ scrubber: SecretScrubber) -> HAR.Field {
        var field = self
        field.value =
            value.contains("://")
            ? scrubber.scrubbing(url: value) : scrubber.scrubbing(value, ofHeader: name)
        field.comment = comment.map { scrubber.scrubbing($0) }
        field.own.scrub(scrubber)
        return field
    }
}

extension HAR.Cookie {
    fileprivate func scrubbing(_ scrubber: SecretScrubber) -> HAR.Cookie {
        var cookie = self
        cookie.path = path.map { scrubber.scrubbing($0) }
        cookie.comment = comment.map { scrubber.scrubbing($0) }
        cookie.own.scrub(scrubber)
        return cookie
    }

    fileprivate func maskingMembers(_ secrets: HARSecrets, _ found: FoundSecrets) -> HAR.Cookie {
        var cookie = self
        cookie.own = own.masking(secrets, found)
        return cookie
    }
}

/// Masks URLs, headers and cookies.
package struct FieldMask {
    private let mask: SecretMask
    private let found: FoundSecrets?

    /// Creates a mask; `found` collects the masked values.
    package init(_ secrets: HARSecrets, found: FoundSecrets? = nil) {
        mask = secrets.mask
        self.found = found
    }

    /// Returns the masked value of a query or form parameter; the names of the others may make it a secret.
    package func value(_ value: String, of name: String, beside others: [String] = []) -> String {
        guard mask.hides(parameter: name, value, beside: others) else { return url(value) }
        found?.add(value)
        return HARSecrets.placeholder
    }

    func parameters(_ fields: [HAR.Field]) -> [HAR.Field] {
        let names = fields.map(\.name)
        return fields.map { field in
            var field = field
            field.value = value(field.value, of: field.name, beside: names)
            return field
        }
    }

    /// Returns the cookie with its value masked.
    ///
    /// Some programs write the value of a cookie without a name as its name (RFC 6265bis, section 5.6). The headers tell
    /// whether there is a name.
    func cookie(_ cookie: HAR.Cookie, in headers: [HAR.Field]) -> HAR.Cookie {
        guard !mask.isOff else { return cookie }
        var cookie = cookie
        let isValue = cookie.value.isEmpty && !cookie.name.isEmpty && !Self.hasCookie(named: cookie.name, in: headers)
        if isValue { (cookie.name, cookie.value) = ("", cookie.name) }
        found?.add(cookie.value)
        cookie.value = HARSecrets.placeholder
        return cookie
    }

    private static func hasCookie(named name: String, in headers: [HAR.Field]) -> Bool {
        headers.contains { header in
            guard ["cookie", "set-cookie"].contains(header.name.lowercased()) else { return false }
            return header.value.split { ";\n".contains($0) }.contains { pair in
                pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).count == 2
                    && pair.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces) == name
            }
        }
    }

    package func header(_ header: HAR.Field) -> HAR.Field {
        var header = header
        switch header.name.lowercased() {
        case "cookie": header.value = cookies(header.value)
        // Some browsers write several of them as one, separated by line breaks.
        case "set-cookie":
            header.value = header.value.components(separatedBy: "\n").map { setCookie($0) }.joined(separator: "\n")
        default: header.value = mask.value(header.value, ofHeader: header.name, found: found)
        }
        return header
    }

    /// Returns a URL with its secrets masked, including user name and password.
    package func url(_ text: String) -> String { mask.masking(url: text, found: found) }

    /// Returns a text with the secrets of the URLs in it masked.
    package func text(_ text: String) -> String { mask.maskingQueries(in: text, found: found) }

    /// Masks the values of a `Cookie` header: `a=1; b=2` becomes `a=***; b=***`.
    private func cookies(_ value: String) -> String {
        guard !mask.isOff else { return value }
        return value.split(separator: ";").map { pair(String($0).trimmingCharacters(in: .whitespaces)) }
            .joined(separator: "; ")
    }

    /// Masks the value of a cookie, but not its attributes, which determine when it is sent.
    private func setCookie(_ line: String) -> String {
        guard !mask.isOff else { return line }
        let first = line.prefix { $0 != ";" }
        return pair(String(first)) + line[first.endIndex...]
    }

    private func pair(_ text: String) -> String {
        guard let equals = text.firstIndex(of: "=") else {
            found?.add(text)
            return HARSecrets.placeholder
        }
        found?.add(String(text[text.index(after: equals)...]))
        return text[...equals] + HARSecrets.placeholder
    }
}

/// Masks form fields and parts, JSON members and URLs in bodies.
package struct BodyMask {
    private let mask: SecretMask
    private let mimeType: String
    private let found: FoundSecrets?

    /// Creates a mask; `found` collects the masked values.
    package init(_ secrets: HARSecrets, mimeType: String, found: FoundSecrets? = nil) {
        mask = secrets.mask
        self.mimeType = mimeType
        self.found = found
    }

    /// Returns the masked text of a body in an archive, with its encoding.
    func text(_ text: String?, _ encoding: String?) -> (text: String?, encoding: String?) {
        text.map { (Self.text($0, encoding, changing: data), encoding) } ?? (text, encoding)
    }

    /// Returns the masked bytes of a body.
    package func data(_ data: Data) -> Data { mask.body(data, contentType: mimeType, found: found) }

    /// Returns the text of a body in an archive, with its bytes passed through a function.
    static func text(_ text: String, _ encoding: String?, changing change: (Data) -> Data) -> String {
        guard encoding?.lowercased() == "base64" else {
            return String(decoding: change(Data(text.utf8)), as: UTF8.self)
        }
        guard let data = Data(lenientBase64: text) else { return text }
        let changed = change(data)
        return changed == data ? text : changed.base64EncodedString()
    }
}

/// The values that are replaced by `***` in files and descriptions.
///
/// The credentials of `Authorization` and `Proxy-Authorization` (except their scheme), the values of all cookies
/// (except their names and attributes), and user names and passwords in URLs are always masked. Other values are
/// masked by name: headers, query parameters, form fields and parts, and members of JSON objects at any depth.
///
/// Names are compared without case, `_` and `-`, segment by segment: `accessToken` and `user[access_token]` match
/// `access_token`. Besides the ``commonNames``, names with a word that says so are secret: `X-Hub-Signature-256`,
/// `masterKey` and `sessionCookie`, but not `token_type`, `sort_key`, `Idempotency-Key` and `nextPageToken`. URLs that are percent-encoded in others and JSON in JSON strings are masked as well.
///
/// A value that is masked in one place of an entry is masked everywhere in it, including its percent-encoded,
/// JSON-escaped and base64 forms. There, values of four to seven bytes are masked as whole words only; shorter ones,
/// common words and numbers of less than eight digits are not masked, as they cannot be distinguished from other
/// text.
public struct HARSecrets: Hashable, Sendable {
    /// Masks what is always masked, and the ``commonNames``.
    public static let standard = HARSecrets()

    /// Masks nothing; for files that are kept private.
    public static let none = HARSecrets(mask: .none)

    /// The replacement for masked values.
    public static let placeholder = SecretMask.placeholder

    /// Common names of credentials: OAuth 2 parameters (RFC 6749), passwords, tokens, API keys, and the signatures of
    /// URLs.
    ///
    /// Names with words like `token`, `key` and `signature` are masked, too. They include `code`, OAuth's authorization code, in queries and forms, and as a string in JSON that has a
    /// `grant_type`; and headers whose names end like `X-Vault-Token` or `Ocp-Apim-Subscription-Key`.
    public static let commonNames = SecretNames.common

    package let mask: SecretMask

    /// Creates a list of names whose values are masked, besides what is always masked.
    ///
    /// - Parameters:
    ///   - names: The application's case-insensitive names: `["X-Session", "pin"]`.
    ///   - includesCommonNames: Whether ``commonNames``, and names with a word for a secret, are masked, too.
    public init(names: Set<String> = [], includesCommonNames: Bool = true) {
        self.init(mask: SecretMask(names: names, includesCommonNames: includesCommonNames))
    }

    private init(mask: SecretMask) { self.mask = mask }

    var isOff: Bool { mask.isOff }

    package func hides(_ name: String, in place: SecretNames.Place = .other) -> Bool { mask.hides(name, in: place) }
}
