import Foundation

extension HAR {
    /// What was asked.
    public struct Request: Hashable, Sendable {
        /// The method.
        public var method: String
        /// The absolute URL, without a fragment.
        public var url: String
        /// The version of HTTP.
        public var httpVersion: String
        /// The cookies that were sent.
        public var cookies: [Cookie]
        /// The headers, in their order.
        public var headers: [Field]
        /// The parameters in the URL's query, decoded.
        public var queryString: [Field]
        /// The body, if there was one.
        public var postData: PostData?
        /// How many bytes the head had; -1 if that is not known.
        public var headersSize: Int64
        /// How many bytes the body had; -1 if that is not known.
        public var bodySize: Int64
        /// Anything.
        public var comment: String?
        /// Fields of another program's own.
        var own = OwnFields()

        /// Makes a request.
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
        /// Its media type.
        public var mimeType: String
        /// The body, as text or as ``encoding`` says.
        public var text: String?
        /// `base64`, where the body is no text. A field of this library's own, as the format has none for it.
        public var encoding: String?
        /// The fields of a form. Browsers write them, some in place of ``text``.
        public var params: [Parameter]
        /// How many bytes of a longer body there are in ``text``; `nil` if all are. A field of this library's own.
        public var keptSize: Int64?
        /// Anything.
        public var comment: String?
        /// Fields of another program's own.
        var own = OwnFields()

        /// Makes a body.
        public init(mimeType: String, text: String?, encoding: String? = nil, params: [Parameter] = []) {
            self.mimeType = mimeType
            self.text = text
            self.encoding = encoding
            self.params = params
        }
    }

    /// A field of a form.
    public struct Parameter: Hashable, Sendable {
        /// The field's name.
        public var name: String
        /// The field's value.
        public var value: String?
        /// The name of the file that was sent.
        public var fileName: String?
        /// The media type of the file that was sent.
        public var contentType: String?
        /// Anything.
        public var comment: String?

        /// Makes a field.
        public init(name: String, value: String?) {
            self.name = name
            self.value = value
        }
    }
}

extension HAR.Request: Codable {
    private enum CodingKeys: String, CodingKey {
        case method, url, httpVersion, cookies, headers, queryString, postData, headersSize, bodySize, comment
    }

    /// Reads a request.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        method = try container.decode(String.self, forKey: .method)
        url = try container.decode(String.self, forKey: .url)
        httpVersion = try container.value(.httpVersion, or: "unknown")
        cookies = try container.value(.cookies, or: [])
        headers = try container.value(.headers, or: [])
        queryString = try container.value(.queryString, or: [])
        postData = try container.decodeIfPresent(HAR.PostData.self, forKey: .postData)
        headersSize = try container.integer(.headersSize) ?? -1
        bodySize = try container.integer(.bodySize) ?? -1
        comment = try container.decodeIfPresent(String.self, forKey: .comment)
        postData?.readBytes(size: bodySize)
    }

    /// Writes the request.
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
        try own.encode(to: encoder)
    }
}

extension HAR.PostData: Codable {
    private enum CodingKeys: String, CodingKey {
        case mimeType, text, params, comment
        case encoding = "_encoding"
        case keptSize = "_keptSize"
    }

    private enum OtherKeys: String, CodingKey {
        case encoding
    }

    /// Reads a body.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        mimeType = try container.value(.mimeType, or: "")
        text = try container.decodeIfPresent(String.self, forKey: .text)
        params = try container.value(.params, or: [])
        // Proxies write it without the underscore.
        encoding =
            try container.decodeIfPresent(String.self, forKey: .encoding)
            ?? decoder.container(keyedBy: OtherKeys.self).decodeIfPresent(String.self, forKey: .encoding)
        keptSize = try container.integer(.keptSize)
        comment = try container.decodeIfPresent(String.self, forKey: .comment)
        try container.checkBase64(text, encoding: encoding, .text)
    }

    fileprivate mutating func readBytes(size: Int64) {
        guard let text, encoding == nil, keptSize == nil,
            let body = BodyText.readingBytes(of: text, mimeType: mimeType, sizes: [size])
        else { return }
        (self.text, encoding) = (body.text, body.encoding)
    }

    /// Writes the body.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(mimeType, forKey: .mimeType)
        try container.encodeIfPresent(text, forKey: .text)
        if !params.isEmpty { try container.encode(params, forKey: .params) }
        try container.encodeIfPresent(encoding, forKey: .encoding)
        try container.encodeIfPresent(keptSize, forKey: .keptSize)
        try container.encodeIfPresent(comment, forKey: .comment)
        try own.encode(to: encoder)
    }
}

extension HAR.Parameter: Codable {
    /// Reads a field.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.value(.name, or: "")
        value = try container.decodeIfPresent(String.self, forKey: .value)
        fileName = try container.decodeIfPresent(String.self, forKey: .fileName)
        contentType = try container.decodeIfPresent(String.self, forKey: .contentType)
        comment = try container.decodeIfPresent(String.self, forKey: .comment)
    }
}
