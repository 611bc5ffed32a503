import Foundation
import MoyaHTTP

// Lists that are requested in pages. Each page is a request of its own, which passes the same steps as any other.

extension MoyaProvider {
    /// Returns the items of a list that the server divides into pages.
    ///
    ///     for try await issue in provider.pages(.issues, of: Issue.self, by: .link) { print(issue.title) }
    ///
    /// Each page is requested with the headers, the body and the validation of the target, and seen by plugins. A status outside of
    /// 200 to 299 ends the list with an error, also if the target does not validate it. Pages are not shared with equal requests. As
    /// for a stream, an override of ``request(_:callbackQueue:progress:completion:)`` in a subclass is not called.
    ///
    /// A stub is a list of one page, unless its response has a link or a cursor.
    ///
    /// - Parameters:
    ///   - target: The target of the first page.
    ///   - item: The type of an item, which can be inferred.
    ///   - pagination: The way in which the server divides the list into pages.
    ///   - keyPath: The location of the items in the body; `nil` for a body that is an array.
    ///   - decoder: Decodes the items; `nil` for the ``TypedTargetType/decoder`` of a typed target, and otherwise a `JSONDecoder`
    ///     with default settings.
    /// - Returns: The items. Nothing is requested before they are read.
    public func pages<Item: Decodable & Sendable>(
        _ target: Target,
        of item: Item.Type = Item.self,
        by pagination: Pagination,
        atKeyPath keyPath: String? = nil,
        using decoder: (any ResponseDecoder & Sendable)? = nil
    ) -> PagedSequence<Item> {
        pages(target, by: pagination, items: items(of: target, atKeyPath: keyPath, using: decoder))
    }

    /// Returns the items of a list whose next page is requested by a target that contains a cursor, such as a body with a variable of
    /// GraphQL.
    ///
    ///     let issues = provider.pages(
    ///         of: Issue.self,
    ///         atKeyPath: "data.issues.nodes",
    ///         cursorAt: "data.issues.pageInfo.endCursor",
    ///         while: "data.issues.pageInfo.hasNextPage"
    ///     ) { cursor in .issues(after: cursor) }
    ///
    /// - Parameters:
    ///   - item: The type of an item, which can be inferred.
    ///   - keyPath: The location of the items in the body; `nil` for a body that is an array.
    ///   - decoder: Decodes the items; `nil` for the ``TypedTargetType/decoder`` of a typed target, and otherwise a `JSONDecoder`
    ///     with default settings.
    ///   - cursor: The location of the cursor in the body: see ``Pagination/cursor(at:query:while:)``.
    ///   - hasMore: The location of a Boolean, which is false in the last page; `nil` if the body has none.
    ///   - makeTarget: Returns the target of the page at a cursor; `nil` for the first page.
    /// - Returns: The items. Nothing is requested before they are read.
    @preconcurrency
    public func pages<Item: Decodable & Sendable>(
        of item: Item.Type = Item.self,
        atKeyPath keyPath: String? = nil,
        using decoder: (any ResponseDecoder & Sendable)? = nil,
        cursorAt cursor: String,
        while hasMore: String? = nil,
        _ makeTarget: @escaping @Sendable (_ cursor: String?) -> Target
    ) -> PagedSequence<Item> {
        PagedSequence(
            PageSource(
                pagination: .cursor(at: cursor, while: hasMore),
                request: { [self] position in
                    switch position.location {
                    case .first: await page(makeTarget(nil), at: .first)
                    case .cursor(let cursor): await page(makeTarget(cursor), at: .first)
                    case .url, .query: .failure(.underlying(PaginationError.unsuitablePosition, nil))
                    }
                },
                items: { [self] response, _ throws(MoyaError) in
                    try items(of: makeTarget(nil), atKeyPath: keyPath, using: decoder)(response)
                }
            )
        )
    }

    /// Returns the items of a list.
    ///
    /// - Parameters:
    ///   - target: The target of the first page.
    ///   - pagination: The way in which the server divides the list into pages.
    ///   - refused: Returns the error for a page that was refused.
    ///   - items: Returns the items of a response.
    /// - Returns: The items.
    package func pages<Item: Sendable>(
        _ target: Target,
        by pagination: Pagination,
        refused: @escaping @Sendable (MoyaError) -> MoyaError = { $0 },
        items: @escaping @Sendable (Response) throws(MoyaError) -> [Item]
    ) -> PagedSequence<Item> {
        let isStub = if case .never = stubClosure(target) { false } else { true }
        return PagedSequence(
            PageSource(
                pagination: pagination,
                request: { [self] position in await page(target, at: position.location).mapError(refused) },
                items: { response, _ throws(MoyaError) in try items(response) },
                isStub: isStub
            )
        )
    }

    /// Requests a page.
    private func page(_ target: Target, at location: PagePosition.Location) async -> Result<Response, MoyaError> {
        let endpoint = endpoint(target)
        return await runInCallingTask(
            target,
            endpoint: location == .first ? endpoint : endpoint.replacing(task: endpoint.task.moved(to: location)),
            findMisuse: { $0.pageMisuse }
        ) { [self] in await send($0, for: $1) }.result
    }

    /// Returns a function that decodes the items of a response.
    private func items<Item: Decodable & Sendable>(
        of target: Target,
        atKeyPath keyPath: String?,
        using decoder: (any ResponseDecoder & Sendable)?
    ) -> @Sendable (Response) throws(MoyaError) -> [Item] {
        { response throws(MoyaError) in
            let declared: (any ResponseDecoder)? = (target.innermost as? any TypedTargetType)?.decoder
            let decoder: any ResponseDecoder = if let decoder { decoder } else { declared ?? JSONDecoder() }
            return try response.filterSuccessfulStatusCodes().output(atKeyPath: keyPath, using: decoder)
        }
    }
}

extension MoyaProvider where Target: PagedTargetType {
    /// Returns the items of a target's list.
    ///
    ///     for try await repository in provider.pages(Repositories(owner: "octocat")) { print(repository.name) }
    ///
    /// A page that the target's validation refuses ends the list with the decoded ``TypedTargetType/ErrorBody``.
    ///
    /// - Parameter target: The target of the first page.
    /// - Returns: The items. Nothing is requested before they are read.
    public func pages(_ target: Target) -> PagedSequence<Target.Output.Element> {
        pages(target, as: target)
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Returns the items of a typed target's list.
    ///
    /// Plugins see the ``MultiTarget`` around it.
    ///
    /// - Parameter target: The target of the first page.
    /// - Returns: The items. Nothing is requested before they are read.
    public func pages<Paged: PagedTargetType>(_ target: Paged) -> PagedSequence<Paged.Output.Element> {
        pages(MultiTarget(target), as: target)
    }
}

extension MoyaProvider {
    /// Returns the items of a paged target's list; `target` is that target or a wrapper of it.
    private func pages<Paged: PagedTargetType>(
        _ target: Target,
        as paged: Paged
    ) -> PagedSequence<Paged.Output.Element> {
        pages(
            target,
            by: paged.pagination,
            refused: { error in
                if case .failure(let error) = paged.output(from: .failure(error)) { error } else { error }
            },
            items: { response throws(MoyaError) in Array(try paged.output(from: .success(response)).get()) }
        )
    }
}

extension TaskExecution {
    /// The reason why the execution can't be divided into pages; `nil` if it can.
    fileprivate var pageMisuse: TargetMisuse? {
        if case .download = self { .downloadIsPaged } else { nil }
    }
}

extension TargetMisuse {
    fileprivate static let downloadIsPaged = TargetMisuse(
        target: nil,
        property: "task",
        problem: "it downloads to a file, and was asked for as a list in pages",
        remedy: "call request, or use a task without a destination"
    )
}
