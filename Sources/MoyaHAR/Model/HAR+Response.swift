import Foundation

extension HAR {
    /// What was answered, or what went wrong.
    public struct Response: Hashable, Sendable {
        /// The status code; 0 if there was no answer.
        public var status: Int
        /// The status in words.
        public var statusText: String
        /// The version of HTTP.
        public var httpVersion: String
        /// The cookies that were set.
        public var cookies: [Cookie]
        /// The headers, in the order in which they came.
        public var headers: [Field]
        /// The body.
        public var content: Content
        /// Where it redirects to; empty if it does not.
        public var redirectURL: String
        /// How many bytes the head had; -1 if that is not known.
        public var headersSize: Int64
        /// How many bytes the body had on its way, coded; -1 if that is not known.
        public var bodySize: Int64
        /// What went wrong, if something did. A field that browsers write, too.
        public var error: String?
        /// The code of the `URLError` that the request ended with. A field of this library's own.
        public var errorCode: Int?
        /// Anything.
        public var comment: String?
        /// Fields of another program's own.
        var own = OwnFields()

        /// Makes a response.
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

    /// The body of a response, decoded.
    public struct Content: Hashable, Sendable {
        /// How many bytes it has; -1 if that is not known.
        public var size: Int64
        /// How many bytes less were on the way.
        public var compression: Int64?
        /// Its media type.
        public var mimeType: String
        /// The body, as text or as ``encoding`` says; `nil` if it is not in the file.
        public var text: String?
        /// `base64`, where the body is no text.
        public var encoding: String?
        /// How many bytes of a longer body there are in ``text``; `nil` if all are. A field of this library's own.
        public var keptSize: Int64?
        /// Anything.
        public var comment: String?
        /// Fields of another program's own.
        var own = OwnFields()

        /// Makes a body, by default an empty one.
        public init(size: Int64 = 0, mimeType: String = "", text: String? = nil, encoding: String? = nil) {
            self.size = size
            self.mimeType = mimeType
            self.text = text
            self.encoding = encoding
        }
    }
}

extension HAR.Response: Codable {
    private enum CodingKeys: String, CodingKey {
        case status, statusText, httpVersion, cookies, headers, content, redirectURL, headersSize, bodySize, comment
        case error = "_error"
        case errorCode = "_errorCode"
    }

    /// Reads a response.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        status = Int(clamping: try container.integer(.status) ?? 0)
        statusText = try container.value(.statusText, or: "")
        httpVersion = try container.value(.httpVersion, or: "unknown")
        cookies = try container.value(.cookies, or: [])
        headers = try container.value(.headers, or: [])
        content = try container.value(.content, or: HAR.Content(size: -1))
        redirectURL = try container.value(.redirectURL, or: "")
        headersSize = try container.integer(.headersSize) ?? -1
        bodySize = try container.integer(.bodySize) ?? -1
        error = try container.text(.error)
        errorCode = try container.integer(.errorCode).map { Int(clamping: $0) }
        comment = try container.decodeIfPresent(String.self, forKey: .comment)
    }

    /// Writes the response.
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
        try own.encode(to: encoder)
    }
}

extension HAR.Content: Codable {
    private mutating func readBytes() {
        // The same programs give the size on its way, and what compression added to it.
        guard let text, encoding == nil, keptSize == nil,
            let body = BodyText.readingBytes(
                of: text,
                mimeType: mimeType,
                sizes: [size, size.addingReportingOverflow(compression ?? 0).partialValue]
            )
        else { return }
        (self.text, encoding) = (body.text, body.encoding)
    }

    private enum CodingKeys: String, CodingKey {
        case size, compression, mimeType, text, encoding, comment
        case keptSize = "_keptSize"
    }

    /// Reads a body.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        size = try container.integer(.size) ?? -1
        compression = try container.integer(.compression)
        mimeType = try container.value(.mimeType, or: "")
        text = try container.decodeIfPresent(String.self, forKey: .text)
        encoding = try container.decodeIfPresent(String.self, forKey: .encoding)
        keptSize = try container.integer(.keptSize)
        comment = try container.decodeIfPresent(String.self, forKey: .comment)
        try container.checkBase64(text, encoding: encoding, .text)
        readBytes()
    }

    /// Writes the body.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(size, forKey: .size)
        try container.encodeIfPresent(compression, forKey: .compression)
        try container.encode(mimeType, forKey: .mimeType)
        try container.encodeIfPresent(text, forKey: .text)
        try container.encodeIfPresent(encoding, forKey: .encoding)
        try container.encodeIfPresent(keptSize, forKey: .keptSize)
        try container.encodeIfPresent(comment, forKey: .comment)
        try own.encode(to: encoder)
    }
}
