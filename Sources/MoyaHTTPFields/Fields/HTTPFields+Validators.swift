import HTTPTypes

// The strong validators of a response, which can be sent in `If-Range` (RFC 9110, section 8.8).
extension HTTPFields {
    /// The entity tag, if it is a strong validator.
    package var strongTag: FieldText? { self[text: .eTag].flatMap { EntityTag($0).isStrong ? $0 : nil } }

    /// `Last-Modified`, if it is a strong validator: at least a second before `Date`, because a representation may change twice in a
    /// second (RFC 9110, section 8.8.2.2).
    package var strongDate: FieldText? {
        guard let text = self[text: .lastModified], let changed = HTTPDate(fixdate: text.text),
            let date = self[.date].flatMap({ HTTPDate(fixdate: $0) }), changed.seconds < date.seconds
        else { return nil }
        return text
    }
}
