import MoyaHTTP

/// A list cannot be continued with its next page.
///
/// The error is in ``MoyaError/underlying(_:_:)``. The items of all pages before it have been delivered.
public enum PaginationError: Error, Equatable, Sendable {
    /// The next page is one that was requested before.
    case loop(page: Int)
    /// A page has the bytes of the page before it, so the server seems to ignore the page number or the offset.
    case repeatedPage(page: Int)
    /// The next page has another origin than the target, which must not get the credentials of the target.
    ///
    /// The `https` URL of the same host is no other origin for an `http` target: ports 80 and 443 correspond, and others are equal.
    case otherOrigin
    /// The URL or the cursor of the next page is invalid.
    case invalidNext(page: Int)
    /// The position was stored for a list that is paged in another way.
    case unsuitablePosition
}

extension PaginationError: MaskedError {
    /// A sentence that describes the problem and a remedy.
    public var errorDescription: String? {
        switch self {
        case .loop(let page):
            "The list has a loop: the page after page \(page) was requested before."
        case .repeatedPage(let page):
            "Page \(page) is the same as the page before it: check the name of the query item with the page number or the offset."
        case .otherOrigin:
            "The next page has another scheme, host or port than the target, and must not get its credentials: change the base "
                + "URL of the target, or convert the URL with a custom pagination."
        case .invalidNext(let page):
            "The URL or the cursor of the page after page \(page) is not valid."
        case .unsuitablePosition:
            "The stored position belongs to a list that is paged in another way: start from the beginning."
        }
    }
}
