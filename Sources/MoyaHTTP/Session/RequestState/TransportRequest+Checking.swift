import Foundation
import HTTPTypes

// The conversion of a request above the redirects to the request of an exchange: checks, fields of the session, body and limits.
extension TransportRequest {
    /// Checks a request, and creates the request of an exchange from it.
    ///
    /// - Throws: ``RequestValidationError``.
    init(checking request: UncheckedRequest, _ context: RequestContext) throws {
        let fields = context.session.settings.requestFields
        // An invalid header of the session is reported before the faults of a request.
        if case .failure(let error) = fields.added { throw error }
        try self.init(checking: request, context) { headers throws(RequestValidationError) in
            try fields.fields(of: headers)
        }
        // An interceptor may replace any failure by a retry, and then drops the body.
        droppableBodies = context.hasInterceptor ? .allButSuccesses : .redirectsAndChallenges
    }

    /// Checks a request, and creates the request that a middleware around all attempts gets.
    ///
    /// It lacks the fields of the session, because adapters and plugins would take them for the request's own.
    ///
    /// - Throws: ``RequestValidationError``.
    init(forMiddleware request: UncheckedRequest, _ context: RequestContext) throws {
        try self.init(checking: request, context) { headers throws(RequestValidationError) in
            try HTTPFields(checking: headers)
        }
    }

    private init(
        checking request: UncheckedRequest,
        _ context: RequestContext,
        fields: ([String: String]) throws(RequestValidationError) -> HTTPFields
    ) throws {
        // A constant for the settings would copy all of them.
        let session = context.session
        try self.init(
            checking: request.urlRequest,
            body: request.body,
            fields: fields,
            timeouts: session.settings.timeouts.replaced(by: request.urlRequest.timeoutInterval),
            responseBufferLimit: context.bodyHandling.bufferLimit,
            decodingLimits: session.settings.decodingLimits,
            target: context.target
        )
        refusesUnknownContentCodings = session.settings.refusesUnknownContentCodings
        if let timeouts = context.timeouts { set(timeouts, isStream: context.bodyHandling.isStream) }
        if let upgrade = context.bodyHandling.upgrade { self.upgrade = upgrade }
        request.transportChanges?(&self)
    }

    /// Sets the timeouts that the transport applies.
    @inline(never)
    private mutating func set(_ timeouts: RequestTimeouts, isStream: Bool) {
        // ``AttemptTimeoutStage`` ends the attempt of a stream, whose body the exchange timeout would include.
        if let attempt = timeouts.attempt, !isStream { exchangeTimeout = min(attempt, .longestTimeout) }
        let phases = PhaseTimeouts(connect: timeouts.connect, pool: timeouts.pool, firstByte: timeouts.firstByte)
        if phases != PhaseTimeouts() { phaseTimeouts = phases }
    }

    /// Checks a `URLRequest`, and creates the request of an exchange from it.
    ///
    /// `body` replaces the body of the request; `fields` returns the checked fields of the request's headers.
    init(
        checking request: URLRequest,
        body: HTTPBody? = nil,
        fields: ([String: String]) throws(RequestValidationError) -> HTTPFields,
        timeouts: SessionTimeouts,
        responseBufferLimit: Int = TransportRequest.defaultResponseBufferLimit,
        decodingLimits: ContentDecodingLimits = ContentDecodingLimits(),
        target: (any Sendable)? = nil
    ) throws(RequestValidationError) {
        let method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        try method.validate()
        self.init(
            method: method,
            url: try Self.checked(request.url),
            headers: try fields(request.allHTTPHeaderFields ?? [:]),
            body: body ?? request.httpBody.map { .data($0) } ?? request.httpBodyStream.map { .stream($0) },
            timeouts: (timeouts.idle, timeouts.attempt),
            responseBufferLimit: responseBufferLimit,
            decodingLimits: decodingLimits,
            urlRequest: request,
            target: target
        )
    }

    private static func checked(_ url: URL?) throws(RequestValidationError) -> URL {
        if let url, url.isPlainHTTP { return url }
        guard let url, let scheme = url.scheme?.lowercased() else {
            throw .invalidURL(url?.withoutCredentials.absoluteString ?? "")
        }
        guard scheme == "http" || scheme == "https" else { throw .unsupportedScheme(scheme) }
        // An escaped line break would end the Host header. An engine may trap on a port of more than 16 bits.
        guard let host = url.host, !host.isEmpty, url.hasValidPort,
            host.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { throw .invalidURL(url.withoutCredentials.absoluteString) }
        // Credentials in a URL are deprecated (RFC 3986, section 3.2.1), and engines handle them differently.
        return url.withoutCredentials
    }
}

extension HTTPFields {
    /// Creates validated headers from a dictionary, and adds the headers of the session that it does not have.
    ///
    /// The names of the session's headers come first, in the session's order. The other headers follow in the order of their
    /// names, because a dictionary has another order in each process. Of names that differ only in case, the last in that order is
    /// used (``UniqueFieldNames``).
    init(
        checking headers: [String: String],
        and sessionHeaders: HTTPFields = [:]
    ) throws(RequestValidationError) {
        var headers = headers
        if headers.count > 1, UniqueFieldNames.canContainDuplicates(headers.keys) {
            let unique = UniqueFieldNames(headers)
            headers = unique.fields
            #if DEBUG
            FieldNameWarning.standard.check(unique, of: nil)
            #endif
        }
        var own: [HTTPField] = []
        own.reserveCapacity(headers.count)
        for (name, value) in headers {
            guard let fieldName = HTTPField.Name(checking: name) else { throw .invalidHeaderName(name) }
            // Whitespace around a value is not a part of it (RFC 9110, section 5.5); a line break is not whitespace.
            let value = value.withoutOptionalWhitespace
            // The initializer replaces invalid characters, and leaves a valid value as it is.
            let field = HTTPField(name: fieldName, value: value)
            guard field.value == value else { throw .invalidHeaderValue(name: name) }
            // The transport adds the framing. A length or coding that contradicts the body allows request smuggling.
            guard !fieldName.isFraming else { continue }
            own.append(field)
        }
        if own.count > 1 { own.sort { $0.name.rawName < $1.name.rawName } }
        self = sessionHeaders
        // Without a reserved capacity, each append allocates.
        if !own.isEmpty { reserveCapacity(own.count + sessionHeaders.count) }
        // A name occurs once, in the headers as in those of the session.
        for field in own {
            if let index = sessionHeaders.indices.first(where: { sessionHeaders[$0].name == field.name }) {
                self[index] = field
            } else {
                append(field)
            }
        }
    }
}
