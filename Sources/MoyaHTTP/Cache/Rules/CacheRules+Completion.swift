import HTTPTypes

// The completion of stored parts (RFC 9111, sections 3.3 and 3.4).
extension CacheRules {
    /// Returns the purpose that requests the rest of a part (RFC 9111, section 3.3); `nil` if it cannot be completed.
    static func completion(of entry: CacheEntry, for request: CacheRequest) -> FetchPurpose? {
        guard request.method == .get, request.range == nil, !request.hasConditions,
            let part = entry.head.part, part.start == 0, entry.bodySize > 0, !entry.head.headers.isCoded,
            // Only a strong validator shows that two parts are of the same body.
            let validator = rangeValidator(of: entry.head)
        else { return nil }
        var fields: HTTPFields = [.range: "bytes=\(entry.bodySize)-"]
        fields.set(.ifRange, validator)
        return .completion(entry, adding: fields)
    }

    /// Returns the value of `If-Range`; a date is not allowed if there is an entity tag (RFC 9110, section 13.1.5).
    private static func rangeValidator(of head: CachedHead) -> FieldText? {
        EntityTag.validator(in: head.headers) == nil ? head.headers.strongDate : head.headers.strongTag
    }

    /// Returns the combined head of a stored part and a response with the rest (RFC 9111, section 3.4); `nil` if they belong to
    /// different representations.
    static func combined(
        _ entry: CacheEntry,
        with rest: TransportResponse,
        for request: CacheRequest,
        during times: ExchangeTimes
    ) -> CachedHead? {
        guard rest.status == 206, let text = rest.headers[.contentRange], let range = ContentRange(text),
            let positions = range.positions, positions.lowerBound == entry.bodySize, let length = range.total,
            positions.upperBound == length, !rest.headers.isCoded,
            rest.knownLength ?? Int64(positions.count) == positions.count,
            entry.head.headers.strongTag == rest.headers.strongTag,
            var combined = freshened(entry.head, with: rest.headers, for: request, during: times)
        else { return nil }
        if entry.head.headers.strongTag == nil {
            guard entry.head.headers.strongDate == rest.headers[text: .lastModified],
                rest.headers.contains(.lastModified)
            else { return nil }
        }
        combined.status = 200
        combined.part = nil
        combined.headers[.contentRange] = nil
        combined.headers[.contentLength] = "\(length)"
        return combined
    }
}
