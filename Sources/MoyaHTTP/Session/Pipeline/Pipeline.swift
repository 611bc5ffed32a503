/// The stages that a request passes through, from the session to the transport and back.
///
/// The stages of the first list see a request once, once for each base URL of a fallback, or once for each attempt; the stages of the
/// second list see each exchange with a server. Redirects and downloads need several exchanges, and ``AuthenticationStage``,
/// ``CacheStage``, ``HedgingStage``, ``ExchangeMiddlewareStage`` and ``ResendStage`` may pass one on several times.
struct Pipeline: Sendable {
    /// Passes a request through all stages.
    let send: RequestHandler

    init(_ settings: SessionSettings, transport: SessionTransport) {
        let selecting = SelectingStages(settings)
        let sendExchange = Self.exchangeStages(settings, selecting)
            .handler(endingWith: ExchangeHandler(TransportStage(transport: transport)))
        // Redirects come last, because the stages below them handle one exchange with one server.
        let redirectStage = RedirectStage(redirectHandler: settings.redirectHandler, sendExchange: sendExchange)
        let bodyReader = ResponseBodyReader(
            maximumSize: settings.maximumBodySize,
            clock: settings.clock,
            transport: transport
        )
        send = Self.requestStages(
            settings,
            bodyReader: bodyReader,
            storedResponseFinder: selecting.storedResponseFinder,
            resumption: ResumptionStage(sendExchange: sendExchange, redirectStage: redirectStage),
            deadlineRule: DeadlineRule(settings, transport)
        )
        .handler(endingWith: RequestHandler(redirectStage))
    }

    /// The stages whose fields select a stored response, and the cache.
    private struct SelectingStages {
        let authentication: AuthenticationStage
        let cookies: CookieStage
        let cache: CacheStage?

        init(_ settings: SessionSettings) {
            authentication = AuthenticationStage(
                credentials: SessionCredentials(settings.configuration.urlCredentialStorage)
            )
            cookies = CookieStage(cookies: settings.cookies)
            cache = settings.cache.map { cache in
                CacheStage(
                    cache: cache,
                    defaultPolicy: settings.configuration.requestCachePolicy,
                    recordsSentFields: !settings.exchangeMiddleware.isEmpty
                )
            }
        }

        var storedResponseFinder: StoredResponseFinder? {
            cache.map { StoredResponseFinder(cacheStage: $0, selectingStages: [authentication, cookies]) }
        }
    }

    /// Returns the stages for a whole request, the first one first.
    private static func requestStages(
        _ settings: SessionSettings,
        bodyReader: ResponseBodyReader,
        storedResponseFinder: StoredResponseFinder?,
        resumption: ResumptionStage,
        deadlineRule: DeadlineRule
    ) -> [any RequestStage] {
        var stages: [any RequestStage] = []
        // Instruments are around everything else, because the spans of all exchanges, also of those that begin in the background, are
        // below the span of their request.
        for instrument in settings.instruments.compactMap(\.requests) {
            stages.append(RequestInstrumentStage(instrument: instrument))
        }
        // Events come next, because monitors and metrics see a request from its beginning to its end.
        if !settings.monitors.areUnused { stages.append(EventStage()) }
        if !settings.middleware.isEmpty {
            // The bodies of responses that a middleware has created are read like those of other responses.
            stages.append(ResponseBodyStage(bodyReader: bodyReader))
            // The application's middleware is around all attempts.
            for middleware in settings.middleware { stages.append(RequestMiddlewareStage(middleware: middleware)) }
        }
        // All attempts of a request have one key. The middleware may send different requests. Targets may have keys, too.
        stages.append(IdempotencyKeyStage(keys: settings.resilience.idempotencyKeys))
        // Fallbacks are above the limits, because each server has its own permits, and above the retries, because the last attempt
        // decides. The requests to several servers have one key.
        let fallbacks = settings.resilience.fallbacks
        if !fallbacks.isEmpty {
            stages.append(
                FallbackStage(fallbacks: fallbacks, storedResponseFinder: storedResponseFinder, bodyReader: bodyReader)
            )
        }
        // A permit is for the whole request, so its wait is outside of all attempts and timeouts.
        if let limiter = settings.resilience.concurrencyLimit {
            stages.append(ConcurrencyLimitStage(limiter: limiter, store: settings.strictTransportSecurity))
        }
        let timers = TimerQueue(LimiterClock(settings.clock))
        return stages + [
            // The time of a request includes its attempts and delays. Targets and providers may set it, too.
            TotalTimeStage(timers: timers, hasFallbacks: !fallbacks.isEmpty, deadlineRule: deadlineRule),
            // Retries are above the adapters, which see each attempt. Reading the response's body is a part of the
            // attempt.
            RetryStage(bodyReader: bodyReader, clock: settings.clock),
            // Adapters are above the plugins of a provider, as in Moya.
            AdaptStage(),
            // The plugins of a provider prepare the request, and get `willSend`.
            PreparationStage(),
            // The rest of a download is requested for the prepared request, and neither adapted nor prepared again.
            resumption,
            // The time of an attempt begins when its request is prepared.
            AttemptTimeoutStage(timers: timers),
        ]
    }

    /// Returns the stages for one exchange, the first one first.
    private static func exchangeStages(
        _ settings: SessionSettings,
        _ selecting: SelectingStages
    ) -> [any ExchangeStage] {
        var stages: [any ExchangeStage] = []
        // URLs are changed below the redirects, so that each of their targets is, and above the stages that select credentials,
        // cookies and stored responses by the URL.
        if let store = settings.strictTransportSecurity { stages.append(HTTPSUpgradeStage(store: store)) }
        stages += [
            // Authentication is above the cookies: the request that answers a challenge has the cookies of the
            // challenge.
            selecting.authentication,
            // Cookies are above the middleware, which sees the request with all its fields.
            selecting.cookies,
        ]
        // The cache is below both, because their fields select responses, and above the middleware, which sees sent requests only.
        if let cache = selecting.cache { stages.append(cache) }
        // Slow exchanges are hedged below the cache, because stored responses are never slow; below the cookies and the redirects,
        // which see the response that wins; and above the limit of the rate and the middleware, because each hedge needs a token
        // and a signature.
        if let hedging = settings.resilience.hedging { stages.append(HedgingStage(hedging: hedging)) }
        // Circuits are below the cache, because a stored response needs no server, and a stale one may replace a refusal; below the
        // redirects, because each origin has a circuit; and above the rates, because a refused request must neither wait for a
        // token nor use one.
        if let breaker = settings.resilience.circuitBreaker { stages.append(CircuitBreakerStage(breaker: breaker)) }
        // Rates are limited below the cache, because a stored response needs no permission, and a stale one may replace a response
        // that a limit delays; below the redirects, because each origin has a limit; and above the middleware, because a signature
        // with a time must not wait.
        if let limiter = settings.resilience.rateLimit { stages.append(RateLimitStage(limiter: limiter)) }
        for limiter in settings.resilience.furtherRateLimits { stages.append(RateLimitStage(limiter: limiter)) }
        // The application's middleware sees each exchange with its final head and body.
        for middleware in settings.exchangeMiddleware { stages.append(ExchangeMiddlewareStage(middleware: middleware)) }
        // The cache does not store a response that fields of the middleware have selected.
        if selecting.cache?.recordsSentFields == true { stages.append(SentFieldsStage()) }
        // The policies of `Strict-Transport-Security` are stored below the cache and the middleware, because only the responses of
        // servers count.
        if let store = settings.strictTransportSecurity { stages.append(HTTPSPolicyStage(store: store)) }
        stages += [
            // A request that is lost with a stale connection is sent again unchanged.
            ResendStage(clock: settings.clock),
            // Content is decoded below all stages that use the content of bodies.
            ContentDecodingStage(),
        ]
        // Instruments see each sending of a request, and the bytes of bodies as they are on the connection.
        let instruments = settings.instruments.compactMap(\.exchanges)
        if !instruments.isEmpty { stages.append(ExchangeInstrumentStage(instruments)) }
        return stages
    }
}
