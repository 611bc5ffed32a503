import Foundation

/// The limits of a list that is requested in pages.
struct PagingLimits: Equatable, Sendable {
    /// The maximum number of pages that are requested; `nil` for no limit.
    var pages: Int?
    /// The maximum number of items that are delivered; `nil` for no limit.
    var items: Int?
}

/// The state machine of a list that is requested in pages.
///
/// The owner asks for the next step, requests the page, and reports its items and the location of the page after it.
struct PagingState: Sendable {
    /// The next step of the owner.
    enum Step: Equatable, Sendable {
        /// Request this page.
        case request(PagePosition)
        /// The list, or its limit, is complete.
        case end
        /// The list cannot be continued.
        case fail(PaginationError)
    }

    /// A page that was received.
    struct ReceivedPage: Sendable {
        /// The number of its items.
        var itemCount: Int
        /// The location of the page after it; `nil` after the last page.
        var next: Result<PagePosition.Location?, PaginationError>
        /// The location of the URL that the page was requested from, if it is known.
        var url: PagePosition.Location?
        /// The body, if it must differ from the body of the page before.
        var content: Data?
    }

    /// The position from which the list can be continued; `nil` if it is complete.
    private(set) var position: PagePosition?
    private let limits: PagingLimits
    /// Whether a page with the bytes of the page before it is the end of the list, as for a stub; otherwise it is an error.
    private let endsWithRepetition: Bool
    private var pageCount = 0
    private var itemCount = 0
    private var requested: Set<PagePosition.Location> = []
    private var lastContent: Data?
    private var failure: PaginationError?

    init(from position: PagePosition, limits: PagingLimits = PagingLimits(), endsWithRepetition: Bool = false) {
        self.position = position
        self.limits = limits
        self.endsWithRepetition = endsWithRepetition
    }

    /// The next step.
    var nextStep: Step {
        if let failure { return .fail(failure) }
        guard let position, pageCount < limits.pages ?? .max, itemCount < limits.items ?? .max else { return .end }
        return .request(position)
    }

    /// Handles the page that was requested last, and returns the range of its items that are delivered.
    mutating func handlePage(_ page: ReceivedPage) -> Range<Int> {
        guard let current = position else { return 0..<0 }
        pageCount += 1
        requested.insert(current.location)
        if let url = page.url { requested.insert(url) }
        if page.itemCount > 0, let content = page.content, content == lastContent {
            if endsWithRepetition { position = nil } else { failure = .repeatedPage(page: current.number) }
            return 0..<0
        }
        lastContent = page.content

        let start = min(current.deliveredItems, page.itemCount)
        let end = start + min(page.itemCount - start, (limits.items ?? .max) - itemCount)
        itemCount += end - start
        if end < page.itemCount {
            position = current.skipping(end)
        } else {
            moveToNextPage(page.next, after: current.skipping(end))
        }
        return start..<end
    }

    /// Moves to the next page, or fails after the items of the current page.
    private mutating func moveToNextPage(
        _ next: Result<PagePosition.Location?, PaginationError>,
        after current: PagePosition
    ) {
        position = current
        switch next {
        case .success(nil):
            position = nil
        case .success(let next?) where requested.contains(next):
            failure = .loop(page: current.number)
        case .success(let next?):
            position = PagePosition(number: current.number + 1, location: next)
        case .failure(let error):
            failure = error
        }
    }
}
