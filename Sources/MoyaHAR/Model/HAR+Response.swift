import Foundation

extension HAR {
    /// The response or the error of an exchange.
    public struct Response: Hashable, Sendable {
        /// The status code; 0 if there was no response.
        public var status: Int
        /// The reason phrase.
        public var statusText: String
        /// The HTTP version.
        public var httpVersion: String
        /// The cookies that were received.
        public var cookies: [Cookie]
        /// The headers in order.
        public var headers: [Field]
        /// The body.
        public var content: Content
        /// The URL of a redirect; empty for other responses.
        public var redirectURL: String
        /// The size of the head in bytes; -1 if unknown.
        public var headersSize: Int64
        /// The size of the encoded body in bytes; -1 if unknown.
        public var bodySize: Int64
        /// The description of the error, if any; a custom field that browsers write, too.
        public var error: String?
        /// The code of the `URLError` of the request, if any; a custom field of this library.
        public var errorCode: Int?
        /// A comment.
        public var comment: String?
        /// Custom fields of other programs.
        var customFields = CustomFields()

        /// Creates a response.
        public init(
            status: Int,
            statusText: String = "",
            httpVersion: String = "unknown",
            cookies: [Cookie] = [],
            headers: [Field] = [],
            content: Content = Content(),
            redirectURL: String = "",
            headersSize: Int64 = -1,
            bodySize: Int64 = -1
        ) {
            self.status = status
            self.statusText = statusText
            self.httpVersion = httpVersion
            self.cookies = cookies
            self.headers = headers
            self.content = content
            self.redirectURL = redirectURL
            self.headersSize = headersSize
            self.bodySize = bodySize
        }
    }

    /// The decoded body of a response.
    public struct Content: Hashable, Sendable {
        /// The size in bytes; -1 if unknown.
        public var size: Int64
        /// The number of bytes that compression saved.
        public var compression: Int64?
        /// The media type.
        public var mimeType: String
        /// The body, as text or in ``encoding``; `nil` if it is not in the file.
        public var text: String?
        /// The encoding of ``text``: `base64` for data that is not text; otherwise `nil`.
        public var encoding: String?
        /// The number of the body's bytes that ``text`` contains, if the body is cut; `nil` if it is complete.
        ///
        /// This is a custom field of this library.
        public var keptSize: Int64?
        /// A comment.
        public var comment: String?
        /// Custom fields of other programs.
        var customFields = CustomFields()

        /// Creates a body; an empty one by default.
        public init(size: Int64 = 0, mimeType: String = "", text: String? = nil, encoding: String? = nil) {
            self.size = size
            self.mimeType = mimeType
            self.text = text
            self.encoding = encoding
        }
    }
}

extension HAR.Response: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize, bodySize, comment
        case error = "_error"
        case errorCode = "_errorCode"
    }

    /// Decodes a response.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = Int(clamping: try container.integer(.status) ?? 0)
        statusText = try container.text(.statusText) ?? ""
        httpVersion = try container.text(.httpVersion) ?? "unknown"
        cookies = try container.list(.cookies)
        headers = try container.list(.headers)
        content = try container.value(.content, or: HAR.Content(size: -1))
        redirectURL = try container.text(.redirectURL) ?? ""
        headersSize = try container.integer(.headersSize) ?? -1
        bodySize = try container.integer(.bodySize) ?? -1
        // Values of other types are custom fields of another program.
        error = container.textIfPossible(.error)
        errorCode = (try? container.integer(.errorCode)).map { Int(clamping: $0) }
        comment = container.textIfPossible(.comment)
    }

    /// Encodes the response.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(status, forKey: .status)
        try container.encode(statusText, forKey: .statusText)
        try container.encode(httpVersion, forKey: .httpVersion)
        try container.encode(cookies, forKey: .cookies)
        try container.encode(headers, forKey: .headers)
        try container.encode(content, forKey: .content)
        try container.encode(redirectURL, forKey: .redirectURL)
        try container.encode(headersSize, forKey: .headersSize)
        try container.encode(bodySize, forKey: .bodySize)
        try container.encodeIfPresent(error, forKey: .error)
        try container.encodeIfPresent(errorCode, forKey: .errorCode)
        try container.encodeIfPresent(comment, forKey: .comment)
        var customFields = customFields
        if error != nil { customFields.remove(CodingKeys.error.rawValue) }
        if errorCode != nil { customFields.remove(CodingKeys.errorCode.rawValue) }
        try customFields.encode(to: encoder)
    }
}

extension HAR.Content: Codable {
    private mutating func readBytes() {
        // Programs that write a body as Latin-1 give the encoded size, and the number of bytes that compression saved.
        guard let text, encoding == nil, keptSize == nil,
            let body = BodyText.latin1Bytes(
                of: text,
                mimeType: mimeType,
                sizes: [size, size.addingReportingOverflow(compression ?? 0).partialValue]
            )
        else { return }
        (self.text, encoding) = (body.text, body.encoding)
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case size, compression, mimeType, text, encoding, comment
        case keptSize = "_keptSize"
    }

    /// Decodes a body.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        size = try container.integer(.size) ?? -1
        compression = try container.integer(.compression)
        mimeType = try container.text(.mimeType) ?? ""
        text = try container.text(.text)
        encoding = try container.text(.encoding)
        keptSize = try? container.integer(.keptSize)
        comment = container.textIfPossible(.comment)
        readBytes()
    }

    /// Encodes the body.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(size, forKey: .size)
        try container.encodeIfPresent(compression, forKey: .compression)
        try container.encode(mimeType, forKey: .mimeType)
        try container.encodeIfPresent(text, forKey: .text)
        try container.encodeIfPresent(encoding, forKey: .encoding)
        try container.encodeIfPresent(keptSize, forKey: .keptSize)
        try container.encodeIfPresent(comment, forKey: .comment)
        try customFields.encode(to: encoder)
    }
}
