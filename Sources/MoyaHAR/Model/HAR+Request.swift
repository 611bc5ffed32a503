import Foundation

extension HAR {
    /// The request of an exchange.
    public struct Request: Hashable, Sendable {
        /// The method.
        public var method: String
        /// The absolute URL, without a fragment.
        public var url: String
        /// The HTTP version.
        public var httpVersion: String
        /// The cookies that were sent.
        public var cookies: [Cookie]
        /// The headers in order.
        public var headers: [Field]
        /// The query parameters, decoded.
        public var queryString: [Field]
        /// The body, if any.
        public var postData: PostData?
        /// The size of the head in bytes; -1 if unknown.
        public var headersSize: Int64
        /// The size of the body in bytes; -1 if unknown.
        public var bodySize: Int64
        /// A comment.
        public var comment: String?
        /// Custom fields of other programs.
        var customFields = CustomFields()

        /// Creates a request.
        public init(
            method: String,
            url: String,
            httpVersion: String = "unknown",
            cookies: [Cookie] = [],
            headers: [Field] = [],
            queryString: [Field] = [],
            postData: PostData? = nil,
            headersSize: Int64 = -1,
            bodySize: Int64 = -1
        ) {
            self.method = method
            self.url = url
            self.httpVersion = httpVersion
            self.cookies = cookies
            self.headers = headers
            self.queryString = queryString
            self.postData = postData
            self.headersSize = headersSize
            self.bodySize = bodySize
        }
    }

    /// The body of a request.
    public struct PostData: Hashable, Sendable {
        /// The media type.
        public var mimeType: String
        /// The body, as text or in ``encoding``.
        public var text: String?
        /// The encoding of ``text``: `base64` for data that is not text; otherwise `nil`.
        ///
        /// This is a custom field of this library, because the format has no such field.
        public var encoding: String?
        /// The fields of a form; browsers write them, some of them in place of ``text``.
        public var params: [Parameter]
        /// The number of the body's bytes that ``text`` contains, if the body is cut; `nil` if it is complete.
        ///
        /// This is a custom field of this library.
        public var keptSize: Int64?
        /// A comment.
        public var comment: String?
        /// Custom fields of other programs.
        var customFields = CustomFields()

        /// Creates a body.
        public init(mimeType: String, text: String?, encoding: String? = nil, params: [Parameter] = []) {
            self.mimeType = mimeType
            self.text = text
            self.encoding = encoding
            self.params = params
        }
    }

    /// A form field.
    public struct Parameter: Hashable, Sendable {
        /// The name of the field.
        public var name: String
        /// The value of the field.
        public var value: String?
        /// The file name that was sent.
        public var fileName: String?
        /// The media type of the file.
        public var contentType: String?
        /// A comment.
        public var comment: String?
        /// Custom fields of other programs.
        var customFields = CustomFields()

        /// Creates a field.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }
}

extension HAR.Request: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case method, url, httpVersion, cookies, headers, queryString, postData, headersSize, bodySize, comment
    }

    /// Decodes a request.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        method = try container.requiredText(.method)
        url = try container.requiredText(.url)
        httpVersion = try container.text(.httpVersion) ?? "unknown"
        cookies = try container.list(.cookies)
        headers = try container.list(.headers)
        queryString = try container.list(.queryString)
        postData = try container.decodeIfPresent(HAR.PostData.self, forKey: .postData)
        headersSize = try container.integer(.headersSize) ?? -1
        bodySize = try container.integer(.bodySize) ?? -1
        comment = container.textIfPossible(.comment)
        postData?.readBytes(size: bodySize)
    }

    /// Encodes the request.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(method, forKey: .method)
        try container.encode(url, forKey: .url)
        try container.encode(httpVersion, forKey: .httpVersion)
        try container.encode(cookies, forKey: .cookies)
        try container.encode(headers, forKey: .headers)
        try container.encode(queryString, forKey: .queryString)
        try container.encodeIfPresent(postData, forKey: .postData)
        try container.encode(headersSize, forKey: .headersSize)
        try container.encode(bodySize, forKey: .bodySize)
        try container.encodeIfPresent(comment, forKey: .comment)
        try customFields.encode(to: encoder)
    }
}

extension HAR.PostData: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case mimeType, text, params, comment
        case encoding = "_encoding"
        case keptSize = "_keptSize"
    }

    private enum OtherKeys: String, CodingKey {
        case encoding
    }

    /// Decodes a body.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        mimeType = try container.text(.mimeType) ?? ""
        text = try container.text(.text)
        params = try container.list(.params)
        // Proxies write `encoding` without the underscore.
        encoding = try container.textIfPossible(.encoding) ?? decoder.container(keyedBy: OtherKeys.self).text(.encoding)
        keptSize = try? container.integer(.keptSize)
        comment = container.textIfPossible(.comment)
    }

    fileprivate mutating func readBytes(size: Int64) {
        guard let text, encoding == nil, keptSize == nil,
            let body = BodyText.latin1Bytes(of: text, mimeType: mimeType, sizes: [size])
        else { return }
        (self.text, encoding) = (body.text, body.encoding)
    }

    /// Encodes the body.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(mimeType, forKey: .mimeType)
        try container.encodeIfPresent(text, forKey: .text)
        if !params.isEmpty { try container.encode(params, forKey: .params) }
        try container.encodeIfPresent(encoding, forKey: .encoding)
        try container.encodeIfPresent(keptSize, forKey: .keptSize)
        try container.encodeIfPresent(comment, forKey: .comment)
        try customFields.encode(to: encoder)
    }
}

extension HAR.Parameter: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, value, fileName, contentType, comment
    }

    /// Decodes a field.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.text(.name) ?? ""
        value = try container.text(.value)
        fileName = try container.text(.fileName)
        contentType = try container.text(.contentType)
        comment = container.textIfPossible(.comment)
    }

    /// Encodes the field.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(value, forKey: .value)
        try container.encodeIfPresent(fileName, forKey: .fileName)
        try container.encodeIfPresent(contentType, forKey: .contentType)
        try container.encodeIfPresent(comment, forKey: .comment)
        try customFields.encode(to: encoder)
    }
}
