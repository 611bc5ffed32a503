import Foundation
import MoyaHTTP

/// The source of the pages of a list: its pagination, the function that requests a page, and the options of the list.
struct PageSource<Item: Sendable>: Sendable {
    typealias Request = @Sendable (PagePosition) async -> Result<Response, MoyaError>

    let pagination: Pagination
    let request: Request
    /// Returns the items of a response.
    let items: @Sendable (Response, PagePosition) throws(MoyaError) -> [Item]
    /// Whether all responses are the same stub, so that a repeated page is the end of the list.
    var isStub = false
    /// The position at which the list starts; `nil` for its beginning.
    var start: PagePosition?
    var limits = PagingLimits()
    var readsAhead = false

    /// The state before the first page.
    var initialState: PagingState {
        PagingState(
            from: start ?? PagePosition(location: pagination.first),
            limits: limits,
            endsWithRepetition: isStub
        )
    }

    /// Returns the items of a page, and the facts for the state.
    ///
    /// - Throws: ``MoyaError``.
    func read(
        _ response: Response,
        at position: PagePosition
    ) throws(MoyaError) -> (items: [Item], page: PagingState.ReceivedPage) {
        // A 204 has no body that could be decoded.
        let items = response.statusCode == 204 ? [] : try items(response, position)
        let page = PagingState.ReceivedPage(
            itemCount: items.count,
            next: try next(after: response, at: position, itemCount: items.count),
            url: response.request?.url.flatMap { PagePosition.Location($0) },
            content: pagination.refusesRepetition ? response.data : nil
        )
        return (items, page)
    }

    private func next(
        after response: Response,
        at position: PagePosition,
        itemCount: Int
    ) throws(MoyaError) -> Result<PagePosition.Location?, PaginationError> {
        do {
            let facts = Pagination.Facts(response: response, position: position, itemCount: itemCount)
            return .success(try pagination.next(facts))
        } catch let error as PaginationError {
            return .failure(error)
        } catch {
            throw MoyaError(wrapping: error, response: response)
        }
    }
}

/// A page that is requested in advance; the request is cancelled when the page is not needed any more.
final class RequestedPage: Sendable {
    private let task: _Concurrency.Task<Result<Response, MoyaError>, Never>

    init(at position: PagePosition, by request: @escaping PageSource<Never>.Request) {
        task = _Concurrency.Task { await request(position) }
    }

    deinit { task.cancel() }

    /// Waits for the response; cancelling the task of the caller cancels the request.
    func result() async -> Result<Response, MoyaError> {
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        // The request may have ended before the cancellation.
        return _Concurrency.Task.isCancelled ? .failure(.underlying(URLError.cancelled(url: nil), nil)) : result
    }
}
