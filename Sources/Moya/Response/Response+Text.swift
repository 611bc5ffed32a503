import Foundation

extension Response {
    /// The body as text in the charset of its content type, or in UTF-8 if there is no charset or the body is not text in the charset.
    var text: String? {
        if let encoding = charset.flatMap({ String.Encoding(charset: $0) }), encoding != .utf8,
            let text = String(data: data, encoding: encoding)
        {
            return text
        }
        return String(data: data, encoding: .utf8)
    }

    /// This response with the reason why its body cannot be mapped to text.
    var withoutText: Response {
        guard let charset, charset != "utf-8" else { return self }
        return Response(self, mappingProblem: "It is not text in the charset \"\(charset)\".")
    }

    private var charset: String? { headers["Content-Type"].flatMap { MediaType($0).charset } }
}

extension String.Encoding {
    /// Creates the encoding of a charset (RFC 9110, section 8.3.2) by its IANA name; `nil` if Foundation does not have it.
    package init?(charset: String) {
        #if canImport(Darwin)
        let encoding = CFStringConvertIANACharSetNameToEncoding(charset as CFString)
        guard encoding != kCFStringEncodingInvalidId else { return nil }
        self.init(rawValue: CFStringConvertEncodingToNSStringEncoding(encoding))
        #else
        self.init(ianaName: charset)
        #endif
    }
}
