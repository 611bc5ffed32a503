import HTTPTypes

// The validation and freshening of stored responses.
extension CacheRules {
    /// Returns the fields that validate a stored response (RFC 9111, section 4.3.1); `nil` if it has no validator.
    static func conditions(for response: CachedResponse) -> HTTPFields? {
        var fields = HTTPFields()
        // With `*`, the server would confirm any response.
        if let tag = EntityTag.validator(in: response.headers) { fields.set(.ifNoneMatch, tag) }
        if let changed = response.headers[text: .lastModified] { fields.set(.ifModifiedSince, changed) }
        return fields.isEmpty ? nil : fields
    }

    static func strongTag(_ headers: HTTPFields) -> FieldText? {
        headers[text: .eTag].flatMap { EntityTag($0).isStrong ? $0 : nil }
    }

    /// Returns the date of the last change, if it is a strong validator (RFC 9110, section 8.8.2.2).
    static func strongDate(of response: CachedResponse) -> FieldText? {
        guard let text = response.headers[text: .lastModified],
            let changed = Freshness.date(text.text, at: response.responseTime),
            let date = Freshness.date(response.headers[.date], at: response.responseTime), date - changed >= 60
        else { return nil }
        return text
    }

    /// Returns a stored response, freshened with the fields of a 304 or of a response to HEAD (RFC 9111, sections 3.2 and 4.3.4).
    ///
    /// - Returns: The response, which must be removed unless ``canRemainStored(_:)`` is true; `nil` if the new response describes
    ///   another representation.
    static func freshened(
        _ response: CachedResponse,
        with headers: HTTPFields,
        to request: CacheRequest,
        at times: ExchangeTimes
    ) -> CachedResponse? {
        let newTag = EntityTag.validator(in: headers)
        if let newTag {
            let stored = EntityTag.validator(in: response.headers).map { EntityTag($0).opaque }
            guard EntityTag(newTag).opaque == stored else { return nil }
        } else if let changed = headers[text: .lastModified], let stored = response.headers[text: .lastModified],
            stored != changed
        {
            return nil
        }
        var freshened = response
        let new = storedFields(headers, CacheControl(headers))
        var names = Set(new.map(\.name)).subtracting(fieldsOfTheBody)
        if newTag == nil { names.remove(.eTag) }
        freshened.headers = HTTPFields(
            response.headers.filter { !names.contains($0.name) } + new.filter { names.contains($0.name) }
        )
        // The new `Vary` may name other fields (section 4.1).
        if headers.contains(.vary), let names = SelectingFields.names(in: freshened.headers) {
            freshened.selectingFields = SelectingFields.values(of: names, in: request.headers)
        }
        // The stored `Age` belongs to the earlier response.
        if !headers.contains(.age) { freshened.headers[.age] = nil }
        freshened.requestTime = times.request
        freshened.responseTime = times.response
        return freshened
    }

    /// Returns whether a freshened response can remain in the store (RFC 9111, sections 4.1 and 5.2.2.5).
    static func canRemainStored(_ response: CachedResponse) -> Bool {
        canBeStored(CacheControl(response.headers), status: response.status)
            && SelectingFields.names(in: response.headers) != nil
    }

    /// The fields that describe the stored body, which a 304 does not change (RFC 9111, section 3.2).
    private static let fieldsOfTheBody: Set<HTTPField.Name> = [
        .contentLength, .contentEncoding, .contentRange, .transferEncoding,
    ]

    /// The effect of a response to HEAD, or of a 304 to conditions of the application, on a stored response.
    enum Effect: Equatable, Sendable {
        case none
        /// Replace the head of the stored response by the freshened one.
        case freshen(CachedResponse)
        /// Remove the stored response: it belongs to another representation, or the freshened one must not be stored.
        case remove

        fileprivate init(of freshened: CachedResponse) {
            self = canRemainStored(freshened) ? .freshen(freshened) : .remove
        }
    }

    /// Returns the effect of a response to HEAD, or of a 304 to conditions of the application, on a stored response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - entry: The stored response.
    ///   - request: The request.
    ///   - times: The times of the request and the response.
    /// - Returns: The effect.
    static func effect(
        of response: TransportResponse,
        on entry: CacheEntry,
        to request: CacheRequest,
        at times: ExchangeTimes
    ) -> Effect {
        guard !request.control.noStore else { return .none }
        guard response.status == 304 else {
            return effectOfHead(response.headers, status: response.status, on: entry, to: request, at: times)
        }
        // A 304 without a validator does not say which response it is about.
        guard response.headers.contains(.eTag) || response.headers.contains(.lastModified) else { return .none }
        let head = freshened(entry.response, with: response.headers, to: request, at: times)
        return head.map { Effect(of: $0) } ?? .none
    }

    /// Returns the effect of a response to HEAD on a stored response to GET (RFC 9111, section 4.3.5).
    private static func effectOfHead(
        _ headers: HTTPFields,
        status: Int,
        on entry: CacheEntry,
        to request: CacheRequest,
        at times: ExchangeTimes
    ) -> Effect {
        guard status == 200, entry.response.status == 200 else { return .none }
        for name in [HTTPField.Name.eTag, .lastModified, .contentLength] {
            guard let new = headers[text: name] else { continue }
            // The length of the stored body is known even if its response had no `Content-Length`.
            var stored = entry.response.headers[text: name]
            if name == .contentLength, stored == nil, !isCoded(entry.response.headers) {
                stored = FieldText("\(entry.bodySize)")
            }
            if stored != new { return .remove }
        }
        let head = freshened(entry.response, with: headers, to: request, at: times)
        return head.map { Effect(of: $0) } ?? .remove
    }

    static func isCoded(_ headers: HTTPFields) -> Bool {
        headers[.contentEncoding].map { $0.lowercased() != "identity" } ?? false
    }
}
