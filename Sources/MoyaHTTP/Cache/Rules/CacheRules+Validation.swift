import HTTPTypes

// The validation and freshening of stored responses.
extension CacheRules {
    /// Returns the fields that validate a stored response (RFC 9111, section 4.3.1); `nil` if it has no validator.
    static func conditions(for head: CachedHead) -> HTTPFields? {
        var fields = HTTPFields()
        // With `*`, the server would confirm any response.
        if let tag = EntityTag.validator(in: head.headers) { fields.set(.ifNoneMatch, tag) }
        if let changed = head.headers[text: .lastModified] { fields.set(.ifModifiedSince, changed) }
        return fields.isEmpty ? nil : fields
    }

    /// Returns the head of a stored response, freshened with the fields of a 304 or of a response to HEAD (RFC 9111, sections 3.2
    /// and 4.3.4).
    ///
    /// - Returns: The freshened head, whose entry must be removed unless ``canRemainStored(_:)`` is true; `nil` if the new response
    ///   describes another representation.
    static func freshened(
        _ head: CachedHead,
        with headers: HTTPFields,
        for request: CacheRequest,
        during times: ExchangeTimes
    ) -> CachedHead? {
        let newTag = EntityTag.validator(in: headers)
        if let newTag {
            let stored = EntityTag.validator(in: head.headers).map { EntityTag($0).opaque }
            guard EntityTag(newTag).opaque == stored else { return nil }
        } else if let changed = headers[text: .lastModified], let stored = head.headers[text: .lastModified],
            stored != changed
        {
            return nil
        }
        var freshened = head
        let new = storedFields(headers, CacheControl(headers))
        var updatedNames = Set(new.map(\.name)).subtracting(fieldsOfTheBody)
        if newTag == nil { updatedNames.remove(.eTag) }
        freshened.headers = HTTPFields(
            head.headers.filter { !updatedNames.contains($0.name) } + new.filter { updatedNames.contains($0.name) }
        )
        // The new `Vary` may name other fields (section 4.1).
        if headers.contains(.vary), let selectingNames = SelectingFields.names(in: freshened.headers) {
            freshened.selectingFields = SelectingFields.values(of: selectingNames, in: request.headers)
        }
        // The stored `Age` and `Date` belong to the earlier response. A message without `Date` has the time of its receipt (RFC
        // 9110, section 6.6.1).
        if !headers.contains(.age) { freshened.headers[.age] = nil }
        if !headers.contains(.date) {
            let seconds = Int64(exactly: times.responseTime.rounded(.down)) ?? 0
            freshened.headers[.date] = HTTPDate(seconds: seconds).text
        }
        freshened.requestTime = times.requestTime
        freshened.responseTime = times.responseTime
        return freshened
    }

    /// Returns the stored response that a 304 confirms, with a freshened head, and whether it can remain stored.
    ///
    /// - Returns: `nil` if the 304 is about another representation.
    static func confirmation(
        of entry: CacheEntry,
        by response: TransportResponse,
        for request: CacheRequest,
        during times: ExchangeTimes
    ) -> (selection: StoredSelection, canRemainStored: Bool)? {
        guard let head = freshened(entry.head, with: response.headers, for: request, during: times) else { return nil }
        var confirmed = entry
        confirmed.head = head
        let freshness = Freshness(of: head, control: CacheControl(head.headers), at: times.responseTime)
        return (StoredSelection(confirmed, in: .whole, freshness), canRemainStored(head))
    }

    /// Returns whether a response with a freshened head can remain in the store (RFC 9111, sections 4.1 and 5.2.2.5).
    static func canRemainStored(_ head: CachedHead) -> Bool {
        permitsStoring(CacheControl(head.headers), status: head.status)
            && SelectingFields.names(in: head.headers) != nil
    }

    /// The fields that describe the stored body, which a 304 does not change (RFC 9111, section 3.2).
    private static let fieldsOfTheBody: Set<HTTPField.Name> = [
        .contentLength, .contentEncoding, .contentRange, .transferEncoding,
    ]

    /// Returns the change of a stored response after a response to HEAD, or after a 304 to conditions of the application.
    ///
    /// - Parameters:
    ///   - entry: The stored response.
    ///   - response: The response.
    ///   - request: The request.
    ///   - times: The times of the request and the response.
    /// - Returns: The change.
    static func update(
        of entry: CacheEntry,
        by response: TransportResponse,
        for request: CacheRequest,
        during times: ExchangeTimes
    ) -> StoredUpdate {
        guard !request.control.noStore else { return .keep }
        let isNotModified = response.status == 304
        if isNotModified {
            // A 304 without a validator does not say which response it is about.
            guard response.headers.contains(.eTag) || response.headers.contains(.lastModified) else { return .keep }
        } else {
            guard response.status == 200, entry.head.status == 200 else { return .keep }
            guard describesBody(of: entry, response.headers) else { return .remove }
        }
        guard let head = freshened(entry.head, with: response.headers, for: request, during: times) else {
            return isNotModified ? .keep : .remove
        }
        return canRemainStored(head) ? .update(to: head) : .remove
    }

    /// Returns whether the fields of a response to HEAD describe the body of a stored response to GET (RFC 9111, section 4.3.5).
    private static func describesBody(of entry: CacheEntry, _ headers: HTTPFields) -> Bool {
        for name in [HTTPField.Name.eTag, .lastModified, .contentLength] {
            guard let new = headers[text: name] else { continue }
            // The length of the stored body is known even if its response had no `Content-Length`.
            var stored = entry.head.headers[text: name]
            if name == .contentLength, stored == nil, !entry.head.headers.isCoded {
                stored = FieldText("\(entry.bodySize)")
            }
            if stored != new { return false }
        }
        return true
    }
}
