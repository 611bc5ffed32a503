import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a session does about cookies: where they are, and whether it sends and keeps them.
struct SessionCookies: Sendable {
    let storage: (any CookieStorage)?
    private let areSent: Bool
    private let areKept: Bool

    /// - Parameter storage: In place of the configuration's.
    init(_ storage: (any CookieStorage)?, configuration: URLSessionConfiguration) {
        self.storage = storage ?? configuration.httpCookieStorage.map { FoundationCookieStorage($0) }
        areSent = configuration.httpShouldSetCookies
        areKept = configuration.httpCookieAcceptPolicy != .never
    }

    /// Adds the cookies for a request that has none of its own.
    func add(to request: inout TransportRequest, context: CookieContext) {
        guard areSent, let storage, !request.headers.contains(.cookie) else { return }
        guard let header = storage.cookieHeader(for: request.url, context: context) else { return }
        // The subscript without a label makes a field of each cookie, and HTTP/1.1 has one field (RFC 6265, section 5.4).
        request.headers[fields: .cookie] = [HTTPField(name: .cookie, value: header)]
    }

    /// Keeps what a response sets.
    func keep(from response: TransportResponse, url: URL, context: CookieContext) {
        guard areKept, let storage else { return }
        let fields = response.headers[values: .setCookie]
        if !fields.isEmpty { storage.store(setCookie: fields, from: url, context: context) }
    }
}
