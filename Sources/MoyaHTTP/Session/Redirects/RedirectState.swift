import Foundation
import HTTPTypes

/// One request on its way through redirects. Pure: the owner says what came, asks a ``RedirectHandler`` about the redirect,
/// if it is one, says what that decided, and then what is sent.
struct RedirectState: Sendable {
    /// The request that was sent last, without the headers that interceptors and cookies have added for it.
    private(set) var request: RedirectRequest
    /// How many redirects were followed.
    private(set) var count = 0
    /// Whether the request is, or was, away from the origin that it was made for. Once it is, it stays so: what comes back
    /// from elsewhere may not be trusted with credentials any more than what stays there.
    private(set) var hasCrossedOrigin = false

    private let isBodyRepeatable: Bool
    private let options: RedirectOptions
    private var seen: Set<RedirectRequest> = []

    /// - Parameters:
    ///   - request: The request as it was made.
    ///   - isBodyRepeatable: Whether its body can be sent once more.
    init(_ request: RedirectRequest, isBodyRepeatable: Bool = true, options: RedirectOptions = RedirectOptions()) {
        self.request = request
        self.isBodyRepeatable = isBodyRepeatable
        self.options = options
        seen = [Self.key(request)]
    }

    /// A response came. Nil if it is the answer.
    mutating func responded(status: Int, headers: HTTPFields) -> Redirect? {
        guard var next = RedirectRules.next(after: request, status: status, headers: headers) else { return nil }
        // A page that sets a cookie and sends the client back is no loop; the limit is all that holds then.
        if headers.contains(.setCookie) { seen = [] }
        let isCrossOrigin = crossesOrigin(to: next.url)
        if isCrossOrigin { next.removeSecrets(and: options.sensitiveNames) }
        return Redirect(
            status: status,
            headers: headers,
            source: request,
            request: next,
            isCrossOrigin: isCrossOrigin,
            count: count + 1
        )
    }

    /// A handler decided. Gives the request to send, or nil if the redirecting response is the answer.
    ///
    /// - Throws: `URLError` with a ``RedirectError`` as its cause if the request must not be sent;
    ///   ``RequestValidationError`` if what the handler made of it is none.
    mutating func decided(_ decision: RedirectDecision, on redirect: Redirect) throws -> RedirectRequest? {
        var next: RedirectRequest
        switch decision {
        case .stop: return nil
        case .follow: next = redirect.request
        case .change(let changed): next = try Self.checked(changed, source: redirect.source)
        }
        try check(next)

        if crossesOrigin(to: next.url) {
            hasCrossedOrigin = true
            next.removeSecrets(and: options.sensitiveNames)
        }
        // A handler that changes a request has a reason to send it again.
        if decision != .follow { seen = [] }
        count += 1
        request = next
        return next
    }

    /// The request that a redirect has led to is about to be sent, with the URL and the method that adapters have given it:
    /// what the next `Location` is relative to, and what a loop is told by.
    ///
    /// - Throws: `URLError` with ``RedirectError/loop``.
    mutating func sends(_ method: HTTPMethod, _ url: URL) throws(URLError) {
        request.method = method
        request.url = url
        guard seen.insert(Self.key(request)).inserted else { throw .redirect(.loop, url: url) }
    }

    private func crossesOrigin(to url: URL) -> Bool { hasCrossedOrigin || Origin(url) != Origin(request.url) }

    private func check(_ next: RedirectRequest) throws(URLError) {
        guard let origin = Origin(next.url) else {
            throw .redirect(.unsupportedScheme(next.url.scheme?.lowercased() ?? ""), url: next.url)
        }
        guard origin.scheme == "https" || Origin(request.url)?.scheme != "https" || options.allowsInsecure else {
            throw .redirect(.insecure, url: next.url)
        }
        guard count < options.maximumCount else {
            throw .redirect(.tooMany(maximum: max(0, options.maximumCount)), url: next.url)
        }
        guard !next.hasBody || isBodyRepeatable else { throw .redirect(.bodyNotRepeatable, url: next.url) }
    }

    /// What a handler made, as far as it can be sent.
    private static func checked(
        _ request: RedirectRequest,
        source: RedirectRequest
    ) throws(RequestValidationError) -> RedirectRequest {
        var request = request
        // A header's name is a token, and so is a method.
        guard HTTPField.Name(request.method.rawValue) != nil else { throw .invalidMethod(request.method.rawValue) }
        request.url = request.url.absoluteURL.withoutCredentials
        let isHTTP = ["http", "https"].contains(request.url.scheme?.lowercased())
        guard request.url.scheme != nil, !isHTTP || Origin(request.url) != nil && request.url.hasValidPort else {
            throw .invalidURL(request.url.absoluteString)
        }
        if source.hasBody, !request.hasBody { request.removeBody() }
        request.hasBody = request.hasBody && source.hasBody
        return request
    }

    /// What makes two requests the same to a server that keeps no state: headers do not count, since interceptors may put a
    /// time or a number into each.
    private static func key(_ request: RedirectRequest) -> RedirectRequest {
        var url = URLReference(request.url.absoluteString)
        url.fragment = nil
        return RedirectRequest(
            method: request.method,
            url: URL(string: url.text) ?? request.url,
            hasBody: request.hasBody
        )
    }
}
