import HTTPTypes

// The storage of responses.
extension CacheRules {
    /// Returns the head to store for a response; `nil` if storing is not allowed or is useless (RFC 9111, section 3).
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The request that was sent.
    ///   - times: The times of the request and the response.
    ///   - keepsForOfflineUse: Whether responses without a lifetime and without a validator are stored.
    /// - Returns: The head to store.
    static func headToStore(
        _ response: TransportResponse,
        for request: CacheRequest,
        during times: ExchangeTimes,
        keepsForOfflineUse: Bool
    ) -> CachedHead? {
        guard request.method == .get, response.status >= 200, response.status != 304, !request.control.noStore
        else { return nil }
        guard keepsForOfflineUse || hasLifetimeOrValidator(response.fields) else { return nil }
        let control = CacheControl(response.headers)
        guard permitsStoring(control, status: response.status) else { return nil }
        // An event stream does not end and is useless later.
        guard response.headers[.contentType]?.lowercased().hasPrefix("text/event-stream") != true else { return nil }
        guard let names = SelectingFields.names(in: response.headers) else { return nil }
        let isExplicit =
            control.maxAge != nil || control.isPublic || control.isPrivate || control.noCache
            || response.headers.contains(.expires)
        guard isExplicit || Freshness.heuristicStatuses.contains(response.status) else { return nil }
        var (status, headers) = (response.status, storedFields(response.headers, control))
        var part: CachedHead.Part?
        if status == 206 {
            guard let text = response.headers[.contentRange], let range = ContentRange(text),
                let positions = range.positions
            else { return nil }
            if positions.lowerBound == 0, positions.upperBound == range.total {
                // The part is the whole body (section 3.3).
                status = 200
                headers[.contentRange] = nil
                headers[.contentLength] = "\(positions.count)"
            } else {
                part = CachedHead.Part(start: positions.lowerBound, completeLength: range.total)
            }
        }
        let head = CachedHead(
            status: status,
            headers: headers,
            selectingFields: SelectingFields.values(of: names, in: request.headers),
            credentials: request.credentials,
            requestTime: times.requestTime,
            responseTime: times.responseTime,
            isDecoded: response.isDecoded,
            part: part
        )
        guard keepsForOfflineUse || isUseful(head, control) else { return nil }
        return head
    }

    /// Returns whether the directives of a response permit its storing, which is one of the conditions of
    /// ``headToStore(_:for:during:keepsForOfflineUse:)``.
    static func permitsStoring(_ control: CacheControl, status: Int) -> Bool {
        guard control.noStore || control.mustUnderstand else { return true }
        // A cache that understands the status may ignore `no-store` (section 5.2.2.3).
        return control.mustUnderstand && understoodStatuses.contains(status)
    }

    /// Returns whether a response has a field that may contain a lifetime or a validator.
    static func hasLifetimeOrValidator(_ fields: ResponseFields) -> Bool {
        fields.contains([.cacheControl, .expires, .eTag, .lastModified])
    }

    /// Returns whether a stored response can be used for requests that do not accept stale responses of every age.
    private static func isUseful(_ head: CachedHead, _ control: CacheControl) -> Bool {
        if head.headers.contains(.eTag) || head.headers.contains(.lastModified) { return true }
        let freshness = Freshness(of: head, control: control, at: head.responseTime)
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
    static func storedFields(_ headers: HTTPFields, _ control: CacheControl) -> HTTPFields {
        let listed = headers[values: .connection].flatMap(\.lowercasedListElements) + control.noCacheFields
        return HTTPFields(
            headers.filter {
                !unstoredFields.contains($0.name.canonicalName) && !listed.contains($0.name.canonicalName)
            }
        )
    }

    /// The fields that belong to one connection, or to the authentication of one request.
    private static let unstoredFields: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade", "proxy-authenticate",
        "proxy-authentication-info", "proxy-authorization", "authentication-info",
    ]

    /// Returns the entries that a new response replaces: those that its request selects, and the oldest variants beyond the limit.
    ///
    /// The server may still confirm a stored response after a status that cannot outdate it, and the stored response may be used offline and
    /// after failures. So such a status replaces only others of its kind.
    ///
    /// - Returns: The entries; `nil` if the new response must not be stored, because it would replace a better one.
    static func entriesReplaced(by head: CachedHead, for request: CacheRequest, in entries: [CacheEntry])
        -> [CacheEntry]?
    {
        let selected = selected(for: request, from: entries)
        let isError = !canSupersedeStored(status: head.status)
        guard !isError || selected.allSatisfy({ !canSupersedeStored(status: $0.head.status) }) else { return nil }
        let outdated = selected.filter { entry in
            // A new part does not replace the whole body or other parts.
            head.part == nil || entry.head.part?.start == head.part?.start
        }
        let others = entries.filter { entry in !outdated.contains { $0.id == entry.id } }
        let surplus = max(0, others.count + 1 - maximumVariants)
        guard surplus > 0 else { return outdated }
        return outdated + others.sorted { $0.head.responseTime < $1.head.responseTime }.prefix(surplus)
    }

    /// Returns whether a response with this status shows that a stored response to its request is outdated.
    ///
    /// An error of the server (5xx) and a refusal of this one request, such as 401 or 429, are not about the resource (RFC 9111, section
    /// 4.3.3).
    static func canSupersedeStored(status: Int) -> Bool { status < 500 && !refusalsOfRequests.contains(status) }

    /// Unauthorized, Proxy Authentication Required, Request Timeout, Misdirected Request, Too Early, and Too Many Requests.
    private static let refusalsOfRequests: Set = [401, 407, 408, 421, 425, 429]

    /// Returns the copies of a stored response that its request selects, except the one that remains: the preferred one, and one whose
    /// status can outdate a stored response rather than an error, as in ``entriesReplaced(by:for:in:)``.
    static func copies(of head: CachedHead, for request: CacheRequest, in entries: [CacheEntry]) -> [CacheEntry] {
        let copies = selected(for: request, from: entries).filter { $0.head.part?.start == head.part?.start }
        let remaining = copies.first { canSupersedeStored(status: $0.head.status) } ?? copies.first
        return copies.filter { $0.id != remaining?.id }
    }

    /// The maximum number of entries with the same key, all of which are examined for each request.
    static let maximumVariants = 32
}
