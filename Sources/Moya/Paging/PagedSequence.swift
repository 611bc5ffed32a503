import Foundation

/// A sequence of the items of a list that a server divides into pages.
///
///     for try await repository in provider.pages(.repositories(of: "octocat"), of: Repository.self, by: .link) {
///         print(repository.name)
///     }
///
/// Nothing is requested before the loop asks for an item, and a page is requested when the items of the page before it have been
/// delivered. If a page fails, the loop gets the items of all pages before it, and then the error. Leaving the loop, or cancelling its
/// task, cancels a request that is running. Each loop begins at the first page.
///
/// Functions return the same list with limits (``limited(toPages:)``, ``limited(toItems:)``), from a stored position
/// (``starting(at:)``), or with one page in advance (``readingAhead()``). ``pages`` are its pages.
public struct PagedSequence<Item: Sendable>: AsyncSequence, Sendable {
    /// An item.
    public typealias Element = Item

    var source: PageSource<Item>

    init(_ source: PageSource<Item>) { self.source = source }

    /// Creates a sequence that returns the given pages, for mocks and tests.
    ///
    /// Each loop over it gets all items.
    ///
    /// - Parameter pages: The items of each page.
    public init(pages: [[Item]]) {
        self.init(
            PageSource(
                pagination: .given(pages.count),
                request: { _ in .success(Response(statusCode: 200, data: Data())) },
                items: { _, position throws(MoyaError) in
                    pages.indices.contains(position.number - 1) ? pages[position.number - 1] : []
                }
            )
        )
    }

    /// Returns the list with at most this number of pages; further pages are not requested.
    public func limited(toPages count: Int) -> PagedSequence {
        var copy = self
        copy.source.limits.pages = Swift.min(source.limits.pages ?? .max, Swift.max(0, count))
        return copy
    }

    /// Returns the list with at most this number of items; pages after them are not requested.
    public func limited(toItems count: Int) -> PagedSequence {
        var copy = self
        copy.source.limits.items = Swift.min(source.limits.items ?? .max, Swift.max(0, count))
        return copy
    }

    /// Returns the list that requests one page in advance, while the items of the page before it are used.
    public func readingAhead() -> PagedSequence {
        var copy = self
        copy.source.readsAhead = true
        return copy
    }

    /// Returns the list from a position, which may have been stored; `nil` for the beginning.
    public func starting(at position: PagePosition?) -> PagedSequence {
        var copy = self
        copy.source.start = position
        return copy
    }

    /// The pages of the list, each with its items, its response, and the position after it.
    public var pages: Pages { Pages(source: source) }

    /// A page of a list.
    public struct Page: Sendable {
        /// The items, without those before a stored position or beyond a limit.
        public let items: [Item]
        /// The response.
        public let response: Response
        /// The position of the page.
        public let position: PagePosition
        /// The position after the items; `nil` after the last page.
        public let next: PagePosition?
    }

    /// A sequence of the pages of a list.
    public struct Pages: AsyncSequence, Sendable {
        /// A page.
        public typealias Element = Page

        let source: PageSource<Item>

        /// Creates an iterator, whose first call of `next()` requests the first page.
        public func makeAsyncIterator() -> Iterator { Iterator(source) }

        /// An iterator over the pages.
        public struct Iterator: AsyncIteratorProtocol {
            private let source: PageSource<Item>
            private var state: PagingState
            private var isOver = false
            /// The page that is requested in advance.
            private var ahead: RequestedPage?
            private var lastResponse: Response?

            init(_ source: PageSource<Item>) {
                self.source = source
                state = source.initialState
            }

            /// The position of the next page, also after an error; `nil` after the last page.
            public var position: PagePosition? { state.position }

            /// Returns the next page; `nil` after the last one.
            ///
            /// - Throws: ``MoyaError``: the error of the request, the error of decoding the items, or
            ///   ``MoyaError/underlying(_:_:)`` with a ``PaginationError``.
            public mutating func next() async throws(MoyaError) -> Page? {
                if isOver { return nil }
                do throws(MoyaError) {
                    switch state.nextStep {
                    case .end:
                        isOver = true
                        return nil
                    case .fail(let error):
                        throw .underlying(error, lastResponse)
                    case .request(let position):
                        let page = try await receivePage(at: position)
                        if source.readsAhead, case .request(let next) = state.nextStep {
                            ahead = RequestedPage(at: next, by: source.request)
                        }
                        return page
                    }
                } catch {
                    isOver = true
                    throw error
                }
            }

            /// Waits for a page, and returns its items.
            private mutating func receivePage(at position: PagePosition) async throws(MoyaError) -> Page {
                let result = if let ahead { await ahead.result() } else { await source.request(position) }
                ahead = nil
                let response = try result.get()
                let (items, received) = try source.read(response, at: position)
                lastResponse = response
                let range = state.handlePage(received)
                return Page(
                    items: Array(items[range]),
                    response: response,
                    position: position,
                    next: state.position
                )
            }
        }
    }

    /// An iterator over the items.
    public struct Iterator: AsyncIteratorProtocol {
        private var pages: Pages.Iterator
        /// The items that the iterator returns before the next page.
        private var items: ArraySlice<Item> = []
        /// The position of the page that the items belong to.
        private var page: PagePosition?

        init(_ pages: Pages.Iterator) { self.pages = pages }

        /// The position of the next item, also after an error; `nil` after the last item.
        public var position: PagePosition? {
            items.isEmpty ? pages.position : page.map { $0.skipping($0.deliveredItems + items.startIndex) }
        }

        /// Returns the next item; `nil` after the last one.
        ///
        /// - Throws: ``MoyaError``: the error of a request, the error of decoding the items, or ``MoyaError/underlying(_:_:)``
        ///   with a ``PaginationError``.
        public mutating func next() async throws(MoyaError) -> Item? {
            while items.isEmpty {
                guard let page = try await pages.next() else { return nil }
                items = page.items[...]
                self.page = page.position
            }
            return items.popFirst()
        }
    }

    /// Creates an iterator, whose first call of `next()` requests the first page.
    public func makeAsyncIterator() -> Iterator { Iterator(pages.makeAsyncIterator()) }
}
