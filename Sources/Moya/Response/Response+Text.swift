import Foundation

extension Response {
    /// The body as text in the charset of its content type; in UTF-8 without one, and where it is not text in that charset.
    var text: String? {
        if let encoding = charset.flatMap({ String.Encoding(charset: $0) }), encoding != .utf8,
            let text = String(data: data, encoding: encoding)
        {
            return text
        }
        return String(data: data, encoding: .utf8)
    }

    /// This response, for the error of a body that is not text in its charset.
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
