import Foundation
import HTTPTypes

/// The rules of a private cache (RFC 9111, RFC 5861, RFC 8246), as functions without state.
enum CacheRules {
    /// Returns the decision about a request.
    ///
    /// - Parameters:
    ///   - request: A GET or HEAD without a body.
    ///   - entries: The entries for its key.
    ///   - now: The time in seconds since 1970.
    /// - Returns: The decision.
    static func decide(_ request: CacheRequest, entries: [CacheEntry], now: Double) -> CacheDecision<StoredSelection> {
        let mustNotBeSent = request.isLimitedToCache || request.control.onlyIfCached
        guard !request.isReload, !request.control.noStore, !request.hasServerConditions else {
            // Such a request excludes stored responses, so one that must not be sent cannot be satisfied.
            return mustNotBeSent ? .unavailable : .send(for: .load(substitute: nil))
        }
        let candidates = selected(for: request, from: entries)
        for entry in candidates {
            guard let usableForm = form(of: entry, for: request) else { continue }
            return decideUse(of: entry, in: usableForm, for: request, now: now)
        }
        guard !mustNotBeSent else { return .unavailable }
        let purpose = candidates.lazy.compactMap { completion(of: $0, for: request) }.first
        return .send(for: purpose ?? .load(substitute: nil))
    }

    /// Returns the decision about a request that selects an entry.
    private static func decideUse(
        of entry: CacheEntry,
        in form: StoredSelection.Form,
        for request: CacheRequest,
        now: Double
    ) -> CacheDecision<StoredSelection> {
        let control = CacheControl(entry.head.headers)
        let freshness = Freshness(of: entry.head, control: control, at: now)
        let selection = StoredSelection(entry, in: form, freshness)
        if request.canUseAnyStored { return .use(selection) }
        if !control.noCache, !request.isValidationRequired {
            let requiresValidation = request.policy == .reloadRevalidatingCacheData
            // An immutable response is not validated while it is fresh (RFC 8246, section 2).
            if !requiresValidation || control.isImmutable, isFreshEnough(freshness, for: request) {
                return .use(selection)
            }
            if !requiresValidation, !freshness.isFresh, !control.mustRevalidate {
                if isStaleAccepted(freshness, for: request) { return .use(selection) }
                if canUseWhileRefreshing(freshness, control, for: request) {
                    return .use(selection, refreshingFor: purpose(of: request, replacing: entry, in: form))
                }
            }
        }
        if request.control.onlyIfCached { return .unavailable }
        return .send(for: purpose(of: request, replacing: entry, in: form))
    }

    /// Returns whether a stale response may be used while a request in the background refreshes it (RFC 5861, section 3).
    private static func canUseWhileRefreshing(
        _ freshness: Freshness,
        _ control: CacheControl,
        for request: CacheRequest
    ) -> Bool {
        request.control.maxAge == nil && request.control.minFresh == nil && !request.control.onlyIfCached
            && freshness.staleness < control.staleWhileRevalidate.value ?? 0
    }

    /// Returns the purpose of a request that selects an entry in a form, but must be sent.
    private static func purpose(
        of request: CacheRequest,
        replacing entry: CacheEntry,
        in form: StoredSelection.Form
    ) -> FetchPurpose {
        // Only the server can check conditions of the application, and a range of a response that is not fresh.
        guard !request.hasConditions, case .whole = form, request.range == nil, entry.head.part == nil,
            let fields = conditions(for: entry.head)
        else { return .load(substitute: entry) }
        return .validation(entry, adding: fields)
    }

    /// Returns whether equal requests can use a response that was just stored without another request for it.
    ///
    /// They may get it stale while one of them refreshes it.
    static func canReuse(_ head: CachedHead, for request: CacheRequest, now: Double) -> Bool {
        let entry = CacheEntry(id: CacheEntry.ID(rawValue: 0), key: request.key, head: head, bodySize: 0)
        return switch decide(request, entries: [entry], now: now) {
        case .use: true
        case .send, .unavailable: false
        }
    }

    // MARK: Selection

    /// Returns the entries that a request selects, the preferred one first (RFC 9111, section 4.1).
    static func selected(for request: CacheRequest, from entries: [CacheEntry]) -> [CacheEntry] {
        guard !entries.isEmpty else { return [] }
        let credentials = request.credentials
        let matching = entries.filter { entry in
            entry.head.credentials == credentials
                && SelectingFields.matches(entry.head.selectingFields, in: request.headers)
        }
        guard matching.count > 1 else { return matching }
        // The most recent one is preferred (section 4); of two from the same time, a whole one.
        return matching.sorted { one, other in
            let (newer, older) = (one.head, other.head)
            if newer.responseTime != older.responseTime { return newer.responseTime > older.responseTime }
            if (newer.part == nil) != (older.part == nil) { return newer.part == nil }
            return one.id.rawValue > other.id.rawValue
        }
    }

    /// Returns the form in which an entry satisfies a request; `nil` if it does not contain all requested bytes, or if only a server can
    /// return the range: of a coded body, or for a request with conditions.
    static func form(of entry: CacheEntry, for request: CacheRequest) -> StoredSelection.Form? {
        let head = entry.head
        if let text = request.range, request.method == .get, isRangeCurrent(in: head, for: request) {
            guard head.status == 200 || head.part != nil, !head.headers.isCoded, !request.hasConditions,
                let range = RequestedRange(text), let length = entry.completeLength,
                let positions = range.positions(in: length)
            else { return nil }
            let start = entry.bodyStart
            // A custom store may return invalid numbers.
            guard start >= 0, positions.lowerBound >= start, positions.upperBound - start <= entry.bodySize
            else { return nil }
            return .range(positions)
        }
        guard head.part == nil else { return nil }
        return request.hasConditions && isUnmodified(head, for: request) ? .notModified : .whole
    }

    /// Returns whether the condition of a range request matches the stored representation (RFC 9110, section 13.1.5).
    private static func isRangeCurrent(in head: CachedHead, for request: CacheRequest) -> Bool {
        guard let condition = request.headers[text: .ifRange] else { return true }
        if condition.text.utf8.first == .quote { return condition == head.headers.strongTag }
        return condition == head.headers.strongDate
    }

    /// Returns whether the client already has the stored representation (RFC 9110, section 13.1).
    private static func isUnmodified(_ head: CachedHead, for request: CacheRequest) -> Bool {
        guard head.status == 200 else { return false }
        if request.headers.contains(.ifNoneMatch) {
            let tags = EntityTag.list(request.headers[fields: .ifNoneMatch])
            guard let tag = EntityTag.validator(in: head.headers).map({ EntityTag($0) }) else { return false }
            return tags.contains { $0.isAny || $0.opaque == tag.opaque }
        }
        let now = head.responseTime
        guard let since = Freshness.date(request.headers[.ifModifiedSince], at: now) else { return false }
        // Without `Last-Modified`, `Date` or the time of arrival is compared (RFC 9111, section 4.3.2).
        let changed =
            Freshness.date(head.headers[.lastModified], at: now) ?? Freshness.date(head.headers[.date], at: now)
            ?? now
        return changed <= since
    }

    // MARK: Freshness

    /// Returns whether a response is as fresh as a request requires (RFC 9111, section 5.2.1).
    private static func isFreshEnough(_ freshness: Freshness, for request: CacheRequest) -> Bool {
        guard freshness.isFresh, !isTooOld(freshness, for: request) else { return false }
        let left = freshness.lifetime - freshness.age
        switch request.control.minFresh {
        case .invalid?: return false
        case .valid(let minimum)?: return left >= minimum
        case nil: return true
        }
    }

    /// Returns whether a response is older than a request accepts (RFC 9111, section 5.2.1.1).
    private static func isTooOld(_ freshness: Freshness, for request: CacheRequest) -> Bool {
        switch request.control.maxAge {
        case .valid(let maximum)?: freshness.age > maximum || maximum == 0
        case .invalid?: true
        case nil: false
        }
    }

    /// Returns whether a request accepts a stale response (RFC 9111, section 5.2.1.2).
    ///
    /// `max-stale` extends the lifetime of the response, and not the age that `max-age` accepts.
    private static func isStaleAccepted(_ freshness: Freshness, for request: CacheRequest) -> Bool {
        guard let maximum = request.control.maxStale.value, request.control.minFresh == nil,
            !isTooOld(freshness, for: request)
        else { return false }
        return freshness.staleness.isFinite && freshness.staleness <= maximum
    }
}
