import Foundation

// The use of stale responses after failures (RFC 5861, section 4).
extension CacheRules {
    /// Returns whether a stale response may be used in place of one with this status.
    static func allowsSubstitute(afterStatus status: Int) -> Bool { Fallback.serverFailures.contains(status) }

    /// Returns whether a stale response may be used after this error of a request.
    ///
    /// A proxy would report the same failure as 502 or 504: there is no response, or an invalid one. Failures of TLS and of the
    /// trust in a server, and errors of the application, are reported to the caller.
    static func allowsSubstitute(after error: any Error) -> Bool {
        guard let error = error.asURLError else { return false }
        if error.isRefusal { return true }
        return replaceableCodes.contains(error.code) && !error.isConfigurationError
    }

    private static let replaceableCodes: Set<URLError.Code> = [
        .timedOut, .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost, .networkConnectionLost,
        .notConnectedToInternet,
        .internationalRoamingOff, .callIsActive, .dataNotAllowed, .badServerResponse, .cannotParseResponse,
    ]

    /// Returns a stored response for a request that has failed.
    ///
    /// - Parameters:
    ///   - entry: The stored response.
    ///   - request: The request.
    ///   - defaultLimit: The staleness in seconds that is accepted if neither the request nor the response specifies one.
    ///   - now: The time in seconds since 1970.
    /// - Returns: The stored response in its form; `nil` if it must not be used.
    static func substitute(
        from entry: CacheEntry,
        for request: CacheRequest,
        staleIfError defaultLimit: Double,
        now: Double
    ) -> StoredSelection? {
        guard let usableForm = form(of: entry, for: request) else { return nil }
        let control = CacheControl(entry.head.headers)
        guard allowsStaleUse(control, for: request) else { return nil }
        let freshness = Freshness(of: entry.head, control: control, at: now)
        let stated = [control.staleIfError, request.control.staleIfError].compactMap(\.value).max()
        let limit = stated ?? defaultLimit
        guard limit > 0, freshness.staleness < limit else { return nil }
        return StoredSelection(entry, in: usableForm, freshness)
    }

    /// Returns the stored responses that may be used for a request that has failed, whatever their age, the preferred one first.
    ///
    /// - Parameters:
    ///   - request: A GET or HEAD without a body.
    ///   - entries: The entries for its key.
    ///   - now: The time in seconds since 1970.
    /// - Returns: The stored responses in their forms.
    static func storedResponses(
        for request: CacheRequest,
        from entries: [CacheEntry],
        now: Double
    ) -> [StoredSelection] {
        guard !request.control.noStore, !request.hasServerConditions else { return [] }
        return selected(for: request, from: entries).compactMap { entry in
            guard let usableForm = form(of: entry, for: request) else { return nil }
            let control = CacheControl(entry.head.headers)
            guard allowsStaleUse(control, for: request) else { return nil }
            return StoredSelection(entry, in: usableForm, Freshness(of: entry.head, control: control, at: now))
        }
    }

    /// Returns whether neither a response nor a request forbids the use of the stale response (RFC 9111, section 4.2.4).
    private static func allowsStaleUse(_ control: CacheControl, for request: CacheRequest) -> Bool {
        !control.noCache && !control.mustRevalidate && !request.isValidationRequired && !request.requiresServer
    }
}
