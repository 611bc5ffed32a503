import Foundation

/// An error with which an ``AuthenticationInterceptor`` fails a request, other than the errors of its
/// authenticator.
///
///     catch MoyaError.underlying(AuthenticationError.missingCredential, _) { showLogin() }
///
/// Errors with the same ``reason`` are equal. The text also has the limit that was exceeded.
public struct AuthenticationError: MatchableError, Sendable {
    /// The reason for the error.
    public enum Reason: Hashable, Sendable {
        /// There is no credential: the user has not logged in, or has logged out.
        case missingCredential
        /// Refreshed credentials were rejected, or there were more refreshes than the ``RefreshWindow`` allows.
        case excessiveRefresh
        /// The ``Authenticator`` implements neither form of `refresh`.
        case refreshNotImplemented
    }

    /// The limit that a series of refreshes has exceeded.
    enum Limit: Equatable, Sendable {
        /// The number of refreshes in an interval.
        case window(RefreshWindow)
        /// The number of times that one request was rejected after a refresh.
        case refusals(Int)
        /// The credential was rejected right after its refresh, and no other request had used it.
        case newCredential
    }

    /// The reason for the error.
    public let reason: Reason
    /// The limit that was exceeded, if it is known.
    let limit: Limit?
    /// The method and the URL of the request with secrets masked, if they are known.
    package var request: String?

    /// Creates an error.
    public init(_ reason: Reason) { self.init(reason, limit: nil) }

    init(_ reason: Reason, limit: Limit?) {
        self.reason = reason
        self.limit = limit
    }

    /// An error with ``Reason/missingCredential``.
    public static let missingCredential = Self(.missingCredential)
    /// An error with ``Reason/excessiveRefresh``.
    public static let excessiveRefresh = Self(.excessiveRefresh)
    /// An error with ``Reason/refreshNotImplemented``.
    public static let refreshNotImplemented = Self(.refreshNotImplemented)

    /// Returns whether the reasons are equal.
    public static func == (lhs: AuthenticationError, rhs: AuthenticationError) -> Bool { lhs.reason == rhs.reason }
}

extension AuthenticationError: MaskedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? {
        switch (reason, limit) {
        case (.missingCredential, _):
            "There is no credential to authenticate the request with: log in, and set the interceptor's credential."
        case (.excessiveRefresh, nil):
            "The credential was refreshed and rejected again, or refreshed too often: the server does not accept the "
                + "credentials that it issues. Check the authenticator, and let the user log in again."
        case (.excessiveRefresh, .window(let window)?):
            "The credential was refreshed \(Self.times(window.maximumAttempts)) within "
                + "\(Duration(clampingSeconds: window.interval).text), which is the limit (refreshWindow): check whether "
                + "the server accepts the credentials that it issues, and for how many requests."
        case (.excessiveRefresh, .refusals(let count)?):
            "The request was rejected \(Self.times(count)) with a refreshed credential, which is the limit "
                + "(refreshWindow): check whether the server accepts the credentials that it issues, and for how many "
                + "requests."
        case (.excessiveRefresh, .newCredential?):
            "The server rejected a credential that was refreshed for this request and that no other request had used: "
                + "the server does not accept the credentials that it issues. Check the authenticator and the rights "
                + "of the user."
        case (.refreshNotImplemented, _):
            "The authenticator cannot refresh a credential: implement one of the two forms of refresh(_:for:)."
        }
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(max(0, count)) times" }
}
