import Foundation

// The steps of a request, each once. Every door of the provider, live or stubbed, goes through these.
extension MoyaProvider {
    /// All plugins prepare the request, each what the one before made of it.
    func prepare(_ request: URLRequest, for target: Target) -> URLRequest {
        plugins.reduce(request) { $1.prepare($0, target: target) }
    }

    /// All plugins learn that the request is about to go.
    func announce(_ request: PreparedRequest, for target: Target) {
        for plugin in plugins { plugin.willSend(request, target: target) }
    }

    /// Asks the network: from the mapped request to the raw result. Any status that the target accepts is a success.
    func exchange(
        _ request: URLRequest,
        for target: Target,
        note: (PreparedRequest) -> Void = { _ in },
        progress: (@Sendable (Progress) -> Void)? = nil
    ) async -> Result<Response, MoyaError> {
        let prepared = PreparedRequest(prepare(request, for: target), session: session)
        note(prepared)
        announce(prepared, for: target)
        guard let request = prepared.request else { return .failure(.requestMapping("")) }
        do {
            return validate(Response(try await session.data(for: request, progress: progress)), for: target)
        } catch {
            return .failure(.underlying(error, nil))
        }
    }

    /// A response with a status that the target does not accept is a failure, with the response at hand.
    func validate(_ response: Response, for target: Target) -> Result<Response, MoyaError> {
        target.validationType.accepts(response.statusCode)
            ? .success(response)
            : .failure(.underlying(MoyaError.statusCode(response), response))
    }

    /// All plugins see the raw result.
    func show(_ result: Result<Response, MoyaError>, for target: Target) {
        for plugin in plugins { plugin.didReceive(result, target: target) }
    }

    /// All plugins may change the result, each what the one before made of it.
    func process(_ result: Result<Response, MoyaError>, for target: Target) -> Result<Response, MoyaError> {
        plugins.reduce(result) { $1.process($0, target: target) }
    }

    /// A mistake in a target is told with the target's name, which an endpoint alone does not know.
    func named(_ error: MoyaError, for target: Target) -> MoyaError {
        guard case .parameterEncoding(let misuse as TargetMisuse) = error else { return error }
        return .parameterEncoding(misuse.naming(target))
    }

    /// What every cancelled request ends with.
    var cancelled: MoyaError { .underlying(URLError.cancelled(url: nil), nil) }
}
