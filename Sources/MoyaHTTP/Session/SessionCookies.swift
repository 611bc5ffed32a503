import Foundation
import HTTPTypes

/// The cookie settings of a session: the storage, and whether cookies are sent and stored.
struct SessionCookies: Sendable {
    let storage: (any CookieStorage)?
    private let areSent: Bool
    private let areStored: Bool

    /// Foundation's default storage, if other programs share it; `nil` on Apple's platforms.
    ///
    /// On Linux the storage is a file with the mode 0644. All programs whose executables are in folders of the same name, such
    /// as `bin` or `debug`, share it.
    static var storageOfOtherPrograms: HTTPCookieStorage? {
        #if canImport(Darwin)
        nil
        #else
        .shared
        #endif
    }

    /// - Parameters:
    ///   - storage: A storage that replaces the configuration's.
    ///   - configuration: The configuration of the session.
    ///   - shared: A storage that every configuration has by default, and that is replaced by a jar in memory.
    init(
        _ storage: (any CookieStorage)?,
        configuration: URLSessionConfiguration,
        replacing shared: HTTPCookieStorage? = storageOfOtherPrograms
    ) {
        self.storage = storage ?? Self.makeStorage(for: configuration.httpCookieStorage, replacing: shared)
        areSent = configuration.httpShouldSetCookies
        areStored = configuration.httpCookieAcceptPolicy != .never
    }

    private static func makeStorage(
        for configured: HTTPCookieStorage?,
        replacing shared: HTTPCookieStorage?
    ) -> (any CookieStorage)? {
        guard let configured else { return nil }
        return configured === shared ? CookieJar() : FoundationCookieStorage(configured)
    }

    /// Adds the cookies for a request that has no `Cookie` field.
    func add(to request: inout TransportRequest, context: CookieContext) {
        guard !request.headers.contains(.cookie), let field = field(for: request.url, context: context) else { return }
        // The subscript without a label creates a field for each cookie, but HTTP/1.1 allows one field only (RFC 6265,
        // section 5.4).
        request.headers[fields: .cookie] = [field]
    }

    /// Returns the field with the cookies for a request, unless the session sends none.
    func field(for url: URL, context: CookieContext) -> HTTPField? {
        areSent ? storage?.cookieField(for: url, context: context) : nil
    }

    /// Returns whether a request uses the storage (`httpShouldHandleCookies`).
    func areHandled(for request: TransportRequest) -> Bool {
        storage != nil && request.urlRequest?.httpShouldHandleCookies ?? true
    }

    /// Stores the cookies that the response to a request sets.
    func store(_ response: TransportResponse, to request: TransportRequest, context: CookieContext) {
        // A stored response has set its cookies when it arrived.
        guard areStored, response.setsCookies, response.fields.contains(.setCookie), areHandled(for: request) else {
            return
        }
        storage?.store(setCookieFields: response.headers[fields: .setCookie], from: request.url, context: context)
    }
}
