import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The decision of a cache about a request (RFC 9111, section 4).
enum CacheDecision: Sendable {
    /// Use a stored response.
    case use(StoredUse)
    /// Use a stored response, and validate it in the background (RFC 5861, section 3).
    case useAndValidate(StoredUse)
    /// Send the request.
    case send(for: Purpose)
    /// Do not send the request: it requires a stored response, and none can be used (RFC 9111, section 5.2.1.7).
    case unavailable

    /// The purpose for which a cache sends a request.
    enum Purpose: Sendable {
        /// Get a response that a stored one cannot replace. If the request fails, the fallback may be used.
        case miss(fallback: CacheEntry?)
        /// Validate a stored response with these additional fields (RFC 9111, section 4.3).
        case validation(CacheEntry, adding: HTTPFields)
        /// Get the rest of a stored part with these additional fields (RFC 9111, section 3.4).
        case completion(CacheEntry, adding: HTTPFields)

        /// The fields that the cache adds to the request.
        var fields: HTTPFields {
            switch self {
            case .miss: [:]
            case .validation(_, let fields), .completion(_, let fields): fields
            }
        }

        /// The stored response that may be used if the request fails.
        var fallback: CacheEntry? {
            switch self {
            case .miss(let entry): entry
            case .validation(let entry, _): entry
            case .completion: nil
            }
        }

        var isValidation: Bool { if case .validation = self { true } else { false } }
    }
}

/// The use of a stored response.
struct StoredUse: Sendable {
    /// The form in which a stored response is returned.
    enum Form: Equatable, Sendable {
        /// The whole body.
        case whole
        /// A 206 with these positions of the whole body.
        case part(Range<Int64>)
        /// A 304 without a body (RFC 9111, section 4.3.2).
        case notModified
    }

    let entry: CacheEntry
    let form: Form
    /// The age of the response in seconds.
    let age: Double
    let isStale: Bool
}

/// The times of a request to a server and its response, in seconds since 1970.
struct ExchangeTimes: Sendable {
    /// The time at which the request was sent.
    let request: Double
    /// The time at which the head of the response arrived.
    var response: Double
}

/// The rules of a private cache (RFC 9111, RFC 5861, RFC 8246), as functions without state.
enum CacheRules {
    /// Returns the decision about a request.
    ///
    /// - Parameters:
    ///   - request: A GET or HEAD without a body.
    ///   - entries: The entries for its key.
    ///   - now: The time in seconds since 1970.
    /// - Returns: The decision.
    static func decide(_ request: CacheRequest, entries: [CacheEntry], now: Double) -> CacheDecision {
        guard !request.isReload, !request.control.noStore, !request.hasServerConditions else {
            return request.control.onlyIfCached ? .unavailable : .send(for: .miss(fallback: nil))
        }
        let selected = selected(by: request, from: entries)
        for entry in selected {
            guard let form = form(of: entry, for: request) else { continue }
            return decide(request, entry: entry, form: form, now: now)
        }
        guard !request.isLimitedToCache, !request.control.onlyIfCached else { return .unavailable }
        let purpose = selected.lazy.compactMap { completion(of: $0, for: request) }.first
        return .send(for: purpose ?? .miss(fallback: nil))
    }

    private static func decide(
        _ request: CacheRequest,
        entry: CacheEntry,
        form: StoredUse.Form,
        now: Double
    ) -> CacheDecision {
        let response = entry.response
        let control = CacheControl(response.headers)
        let freshness = Freshness(of: response, control: control, at: now)
        let use = StoredUse(entry: entry, form: form, age: freshness.age, isStale: !freshness.isFresh)
        if request.canUseAnyStored { return .use(use) }
        let isValidationRequired = control.noCache || request.isValidationRequired
        if !isValidationRequired, isFreshEnough(freshness, for: request) {
            // An immutable response is not validated while it is fresh (RFC 8246, section 2).
            guard request.policy == .reloadRevalidatingCacheData, !control.isImmutable else { return .use(use) }
        }
        if !isValidationRequired, request.policy != .reloadRevalidatingCacheData, !freshness.isFresh,
            !control.mustRevalidate
        {
            if isAcceptable(staleness: freshness.staleness, request) { return .use(use) }
            let hasLimits = request.control.maxAge != nil || request.control.minFresh != nil
            if !hasLimits, !request.control.onlyIfCached,
                freshness.staleness < control.staleWhileRevalidate.value ?? 0
            {
                return .useAndValidate(use)
            }
        }
        guard !request.control.onlyIfCached else { return .unavailable }
        // Only the server can check conditions of the application, and a range of a response that is not fresh.
        guard !request.hasConditions, case .whole = form, request.range == nil, response.part == nil,
            let fields = conditions(for: response)
        else { return .send(for: .miss(fallback: entry)) }
        return .send(for: .validation(entry, adding: fields))
    }

    // MARK: Selection

    /// Returns the entries that a request selects, the preferred one first (RFC 9111, section 4.1).
    static func selected(by request: CacheRequest, from entries: [CacheEntry]) -> [CacheEntry] {
        guard !entries.isEmpty else { return [] }
        let credentials = request.credentials
        let selected = entries.filter { entry in
            entry.response.credentials == credentials
                && SelectingFields.isMatch(entry.response.selectingFields, request.headers)
        }
        guard selected.count > 1 else { return selected }
        // The most recent one is preferred (section 4); of two from the same time, a whole one.
        return selected.sorted { one, other in
            let (newer, older) = (one.response, other.response)
            if newer.responseTime != older.responseTime { return newer.responseTime > older.responseTime }
            if (newer.part == nil) != (older.part == nil) { return newer.part == nil }
            return one.id.rawValue > other.id.rawValue
        }
    }

    /// Returns the form in which an entry satisfies a request; `nil` if it does not contain all requested bytes.
    private static func form(of entry: CacheEntry, for request: CacheRequest) -> StoredUse.Form? {
        let response = entry.response
        if let text = request.range, request.method == .get, isRangeCurrent(request, response) {
            guard response.status == 200 || response.part != nil, !isCoded(response.headers), !request.hasConditions,
                let range = RequestedRange(text),
                let length = response.part.map({ $0.completeLength }) ?? entry.bodySize,
                let positions = range.positions(in: length)
            else { return nil }
            let start = response.part?.start ?? 0
            // A custom store may return invalid numbers.
            guard start >= 0, positions.lowerBound >= start, positions.upperBound - start <= entry.bodySize
            else { return nil }
            return .part(positions)
        }
        guard response.part == nil else { return nil }
        return request.hasConditions && isUnmodified(response, request) ? .notModified : .whole
    }

    private static func isCoded(_ headers: HTTPFields) -> Bool {
        headers[.contentEncoding].map { $0.lowercased() != "identity" } ?? false
    }

    /// Returns whether the condition of a range request matches the stored representation (RFC 9110, section 13.1.5).
    private static func isRangeCurrent(_ request: CacheRequest, _ response: CachedResponse) -> Bool {
        guard let condition = request.headers[text: .ifRange] else { return true }
        if condition.text.utf8.first == .quote { return condition == response.headers[text: .eTag] }
        return condition == strongDate(of: response)
    }

    /// Returns the date of the last change, if it is a strong validator (RFC 9110, section 8.8.2.2).
    private static func strongDate(of response: CachedResponse) -> FieldText? {
        guard let text = response.headers[text: .lastModified],
            let changed = Freshness.date(text.text, at: response.responseTime),
            let date = Freshness.date(response.headers[.date], at: response.responseTime), date - changed >= 60
        else { return nil }
        return text
    }

    /// Returns whether the client already has the stored representation (RFC 9110, section 13.1).
    private static func isUnmodified(_ response: CachedResponse, _ request: CacheRequest) -> Bool {
        guard response.status == 200 else { return false }
        if request.headers.contains(.ifNoneMatch) {
            let tags = EntityTag.list(request.headers[fields: .ifNoneMatch])
            guard let tag = response.headers[text: .eTag].map({ EntityTag($0) }) else { return false }
            return tags.contains { $0.isAny || $0.opaque == tag.opaque }
        }
        let now = response.responseTime
        guard let since = Freshness.date(request.headers[.ifModifiedSince], at: now) else { return false }
        // Without `Last-Modified`, `Date` or the time of arrival is compared (RFC 9111, section 4.3.2).
        let changed =
            Freshness.date(response.headers[.lastModified], at: now) ?? Freshness.date(response.headers[.date], at: now)
            ?? now
        return changed <= since
    }

    // MARK: Freshness

    /// Returns whether a response is as fresh as a request requires (RFC 9111, section 5.2.1).
    private static func isFreshEnough(_ freshness: Freshness, for request: CacheRequest) -> Bool {
        guard freshness.isFresh else { return false }
        let left = freshness.lifetime - freshness.age
        switch request.control.maxAge {
        case .invalid?: return false
        case .valid(let maximum)? where freshness.age > maximum || maximum == 0: return false
        default: break
        }
        switch request.control.minFresh {
        case .invalid?: return false
        case .valid(let minimum)?: return left >= minimum
        case nil: return true
        }
    }

    private static func isAcceptable(staleness: Double, _ request: CacheRequest) -> Bool {
        guard let maximum = request.control.maxStale.value, request.control.minFresh == nil else { return false }
        return staleness.isFinite && staleness <= maximum
    }

    /// Returns the use of a stored response after a request has failed (RFC 5861, section 4).
    ///
    /// - Parameters:
    ///   - entry: The stored response.
    ///   - request: The request.
    ///   - minimum: The staleness in seconds that is accepted if neither the request nor the response specifies one.
    ///   - now: The time in seconds since 1970.
    /// - Returns: The use of the stored response; `nil` if it must not be used.
    static func fallbackUse(
        of entry: CacheEntry,
        for request: CacheRequest,
        staleIfError minimum: Double,
        now: Double
    ) -> StoredUse? {
        guard let form = form(of: entry, for: request) else { return nil }
        let control = CacheControl(entry.response.headers)
        guard !control.noCache, !control.mustRevalidate, !request.isValidationRequired, !request.isReload else {
            return nil
        }
        let freshness = Freshness(of: entry.response, control: control, at: now)
        let stated = [control.staleIfError, request.control.staleIfError].compactMap(\.value).max()
        let limit = stated ?? minimum
        guard limit > 0, freshness.staleness < limit else { return nil }
        return StoredUse(entry: entry, form: form, age: freshness.age, isStale: !freshness.isFresh)
    }

    // MARK: Validation

    /// Returns the fields that validate a stored response (RFC 9111, section 4.3.1); `nil` if it has no validator.
    static func conditions(for response: CachedResponse) -> HTTPFields? {
        var fields = HTTPFields()
        // `*` is no entity tag: the server would confirm any response.
        if let tag = response.headers[text: .eTag], EntityTag(tag).isValidator { fields.set(.ifNoneMatch, tag) }
        if let changed = response.headers[text: .lastModified] { fields.set(.ifModifiedSince, changed) }
        return fields.isEmpty ? nil : fields
    }

    /// Returns the purpose that requests the rest of a part (RFC 9111, section 3.3); `nil` if it cannot be completed.
    private static func completion(of entry: CacheEntry, for request: CacheRequest) -> CacheDecision.Purpose? {
        guard request.method == .get, request.range == nil, !request.hasConditions,
            let part = entry.response.part, part.start == 0, entry.bodySize > 0, !isCoded(entry.response.headers),
            // Only a strong validator shows that two parts are of the same body.
            let validator = strongTag(entry.response.headers) ?? strongDate(of: entry.response)
        else { return nil }
        var fields: HTTPFields = [.range: "bytes=\(entry.bodySize)-"]
        fields.set(.ifRange, validator)
        return .completion(entry, adding: fields)
    }

    static func strongTag(_ headers: HTTPFields) -> FieldText? {
        headers[text: .eTag].flatMap { $0.text.utf8.first == .quote ? $0 : nil }
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
        if let tag = headers[text: .eTag] {
            let stored = response.headers[text: .eTag].map { EntityTag($0).opaque }
            guard EntityTag(tag).opaque == stored else { return nil }
        } else if let changed = headers[text: .lastModified], let stored = response.headers[text: .lastModified],
            stored != changed
        {
            return nil
        }
        var freshened = response
        let new = storedFields(headers, CacheControl(headers))
        let names = Set(new.map(\.name)).subtracting(fieldsOfTheBody)
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

    // MARK: Storing

    /// Returns the head to store for a response; `nil` if storing is not allowed or is useless (RFC 9111, section 3).
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The request that was sent.
    ///   - times: The times of the request and the response.
    ///   - keepsAll: Whether responses without a lifetime and without a validator are stored.
    /// - Returns: The head to store.
    static func headToStore(
        _ response: TransportResponse,
        to request: CacheRequest,
        at times: ExchangeTimes,
        keepsAll: Bool
    ) -> CachedResponse? {
        guard request.method == .get, response.status >= 200, response.status != 304, !request.control.noStore
        else { return nil }
        // The responses of most APIs have no fields for caches, so this check must be fast.
        guard keepsAll || hasFieldsForCaches(response.headers) else { return nil }
        let control = CacheControl(response.headers)
        guard canBeStored(control, status: response.status) else { return nil }
        // An event stream does not end and is useless later.
        guard response.headers[.contentType]?.lowercased().hasPrefix("text/event-stream") != true else { return nil }
        guard let names = SelectingFields.names(in: response.headers) else { return nil }
        let isExplicit =
            control.maxAge != nil || control.isPublic || control.isPrivate || control.noCache
            || response.headers.contains(.expires)
        guard isExplicit || Freshness.heuristicStatuses.contains(response.status) else { return nil }
        var (status, headers) = (response.status, storedFields(response.headers, control))
        var part: CachedResponse.Part?
        if status == 206 {
            guard let text = response.headers[.contentRange], let range = ContentRange(text),
                let positions = range.range
            else { return nil }
            if positions.lowerBound == 0, positions.upperBound + 1 == range.total {
                // The part is the whole body (section 3.3).
                status = 200
                headers[.contentRange] = nil
                headers[.contentLength] = "\(positions.count)"
            } else {
                part = CachedResponse.Part(start: positions.lowerBound, completeLength: range.total)
            }
        }
        let stored = CachedResponse(
            status: status,
            headers: headers,
            selectingFields: SelectingFields.values(of: names, in: request.headers),
            credentials: request.credentials,
            requestTime: times.request,
            responseTime: times.response,
            isDecoded: response.isDecoded,
            part: part
        )
        guard keepsAll || isUseful(stored, control) else { return nil }
        return stored
    }

    private static func canBeStored(_ control: CacheControl, status: Int) -> Bool {
        guard control.noStore || control.mustUnderstand else { return true }
        // A cache that understands the status may ignore `no-store` (section 5.2.2.3).
        return control.mustUnderstand && understoodStatuses.contains(status)
    }

    /// Returns whether a response has a lifetime or a validator.
    static func hasFieldsForCaches(_ headers: HTTPFields) -> Bool {
        headers.contains { field in
            let name = field.name.canonicalName
            // The length rules out most other names.
            return switch name.utf8.count {
            case 4: name == "etag"
            case 7: name == "expires"
            case 13: name == "cache-control" || name == "last-modified"
            default: false
            }
        }
    }

    /// Returns whether a stored response can be used for requests that do not accept any stale response.
    private static func isUseful(_ response: CachedResponse, _ control: CacheControl) -> Bool {
        if response.headers.contains(.eTag) || response.headers.contains(.lastModified) { return true }
        let freshness = Freshness(of: response, control: control, at: response.responseTime)
        let extra = max(control.staleWhileRevalidate.value ?? 0, control.staleIfError.value ?? 0)
        return freshness.staleness < extra || freshness.isFresh
    }

    /// The statuses whose caching requirements this cache implements (RFC 9110, section 15).
    private static let understoodStatuses: Set<Int> = [
        200, 201, 202, 203, 204, 205, 206, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 408,
        409,
        410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 426, 500, 501, 502, 503, 504, 505,
    ]

    /// Returns the fields that are stored (RFC 9111, section 3.1).
    private static func storedFields(_ headers: HTTPFields, _ control: CacheControl) -> HTTPFields {
        let listed = headers[values: .connection].flatMap(\.lowercasedListElements) + control.noCacheFields
        return HTTPFields(
            headers.filter {
                !connectionFields.contains($0.name.canonicalName) && !listed.contains($0.name.canonicalName)
            }
        )
    }

    private static let connectionFields: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade", "proxy-authenticate",
        "proxy-authentication-info", "proxy-authorization", "authentication-info",
    ]

    /// Returns the entries that a new response replaces: those that its request selects, and the oldest variants beyond the limit.
    static func entriesReplaced(by response: CachedResponse, to request: CacheRequest, in entries: [CacheEntry])
        -> [CacheEntry]
    {
        let selected = selected(by: request, from: entries).filter { entry in
            // A new part does not replace the whole body or other parts.
            response.part == nil || entry.response.part?.start == response.part?.start
        }
        let others = entries.filter { entry in !selected.contains { $0.id == entry.id } }
        let surplus = max(0, others.count + 1 - maximumVariants)
        guard surplus > 0 else { return selected }
        return selected + others.sorted { $0.response.responseTime < $1.response.responseTime }.prefix(surplus)
    }

    /// The maximum number of entries with the same key, all of which are examined for each request.
    static let maximumVariants = 32

    /// Returns the combined head of a stored part and a response with the rest (RFC 9111, section 3.4); `nil` if they belong to
    /// different representations.
    static func combined(
        _ entry: CacheEntry,
        with rest: TransportResponse,
        to request: CacheRequest,
        at times: ExchangeTimes
    ) -> CachedResponse? {
        guard rest.status == 206, let text = rest.headers[.contentRange], let range = ContentRange(text),
            let positions = range.range, positions.lowerBound == entry.bodySize, let length = range.total,
            positions.upperBound == length - 1, !isCoded(rest.headers),
            rest.knownLength ?? Int64(positions.count) == positions.count,
            strongTag(entry.response.headers) == strongTag(rest.headers),
            var combined = freshened(
                entry.response,
                with: rest.headers,
                to: request,
                at: times
            )
        else { return nil }
        if strongTag(entry.response.headers) == nil {
            guard strongDate(of: entry.response) == rest.headers[text: .lastModified],
                rest.headers.contains(.lastModified)
            else { return nil }
        }
        combined.status = 200
        combined.part = nil
        combined.headers[.contentRange] = nil
        combined.headers[.contentLength] = "\(length)"
        return combined
    }

    // MARK: HEAD

    /// The effect of a response to HEAD, or of a 304 to conditions of the application, on a stored response.
    enum Effect: Equatable, Sendable {
        case none
        case freshen(CachedResponse)
        /// The stored response belongs to another representation.
        case remove
    }

    /// Returns the effect of a response to HEAD on a stored response to GET (RFC 9111, section 4.3.5).
    static func effectOfHead(
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
        let freshened = freshened(
            entry.response,
            with: headers,
            to: request,
            at: times
        )
        return freshened.map { .freshen($0) } ?? .remove
    }

    // MARK: Invalidation

    /// Returns the keys whose entries a response to an unsafe request invalidates (RFC 9111, section 4.4).
    static func keysInvalidated(by method: HTTPMethod, url: URL, status: Int, headers: HTTPFields) -> [CacheKey] {
        guard ![.get, .head, .options, .trace].contains(method), (200..<400).contains(status) else { return [] }
        var keys = [CacheKey(url)]
        for name in [HTTPField.Name.location, .contentLocation] {
            guard let text = headers[text: name].map({ String(escapingInvalidUTF8: $0.bytes) }),
                let other = URL(string: text, relativeTo: url)?.absoluteURL,
                let origin = Origin(other), origin == Origin(url)
            else { continue }
            let key = CacheKey(other)
            if !keys.contains(key) { keys.append(key) }
        }
        return keys
    }
}
