import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What goes with one request besides the session's own settings.
package struct RequestOptions: Sendable {
    /// What is known of the request as it goes on.
    package var record: RequestRecord
    /// Adapts after the session's interceptor, and is asked about repeating after it.
    package var interceptor: (any RequestInterceptor)?
    /// Prepares each try, after the interceptors.
    package var prepare: (@Sendable (URLRequest) throws -> URLRequest)?
    /// Says whether a status is to be accepted. One that isn't is an error to retriers.
    package var accepts: (@Sendable (Int) -> Bool)?
    /// In place of the session's.
    package var redirectHandler: (any RedirectHandler)?

    /// Makes options. Whatever is left out has no part in the request.
    package init(
        record: RequestRecord = RequestRecord(),
        interceptor: (any RequestInterceptor)? = nil,
        prepare: (@Sendable (URLRequest) throws -> URLRequest)? = nil,
        accepts: (@Sendable (Int) -> Bool)? = nil,
        redirectHandler: (any RedirectHandler)? = nil
    ) {
        self.record = record
        self.interceptor = interceptor
        self.prepare = prepare
        self.accepts = accepts
        self.redirectHandler = redirectHandler
    }
}
