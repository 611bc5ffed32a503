import HTTPTypes

// The validators of stored and received responses (RFC 9110, section 8.8).
extension CachedResponse {
    /// The date of the last change, if it is a strong validator (RFC 9110, section 8.8.2.2).
    var strongDate: FieldText? {
        guard let text = headers[text: .lastModified], let changed = Freshness.date(text.text, at: responseTime),
            let date = Freshness.date(headers[.date], at: responseTime), date - changed >= 60
        else { return nil }
        return text
    }
}

extension HTTPFields {
    /// The entity tag, if it is a strong validator.
    var strongTag: FieldText? { self[text: .eTag].flatMap { EntityTag($0).isStrong ? $0 : nil } }

    /// Whether the body has a content coding, so that its positions and its length are not those of the decoded body.
    var isCoded: Bool { self[.contentEncoding].map { $0.lowercased() != "identity" } ?? false }
}
