import Foundation

// The steps of a request, each once. Every door of the provider, live or stubbed, goes through these.
extension MoyaProvider {
    /// What the endpoint asks of the session, or why it can't be done.
    func transfer(
        of endpoint: Endpoint,
        for target: Target,
        refuse: (Transfer) -> TargetMisuse? = { _ in nil }
    ) -> Result<Transfer, MoyaError> {
        Result { () throws(MoyaError) in
            let transfer = try endpoint.transfer()
            if let misuse = refuse(transfer) { throw .parameterEncoding(misuse) }
            return transfer
        }.mapError { named($0, for: target) }
    }

    /// All plugins prepare the request, each what the one before made of it.
    func prepare(_ request: URLRequest, for target: Target) -> URLRequest {
        plugins.reduce(request) { $1.prepare($0, target: target) }
    }

    /// All plugins learn that the request is about to go.
    func announce(_ request: PreparedRequest, for target: Target) {
        for plugin in plugins { plugin.willSend(request, target: target) }
    }

    /// What goes to the network for a mapped request: all plugins have prepared it and know of it.
    func prepare(
        _ request: URLRequest,
        _ transfer: Transfer,
        for target: Target,
        note: (PreparedRequest) -> Void = { _ in }
    ) -> Result<URLRequest, MoyaError> {
        var request = request
        if case .upload(_, let contentType?) = transfer, request.url != nil {
            request.setValue(contentType, forHTTPHeaderField: "Content-Type")
        }
        let prepared = PreparedRequest(prepare(request, for: target), session: session)
        note(prepared)
        announce(prepared, for: target)
        return prepared.request.map { .success($0) } ?? .failure(.requestMapping(""))
    }

    /// Asks the network: from the mapped request to the raw result. Any status that the target accepts is a success.
    func exchange(
        _ request: URLRequest,
        _ transfer: Transfer,
        for target: Target,
        note: (PreparedRequest) -> Void = { _ in },
        progress: ProgressHandler? = nil
    ) async -> Result<Response, MoyaError> {
        switch prepare(request, transfer, for: target, note: note) {
        case .failure(let error):
            return .failure(error)
        case .success(let request):
            do {
                let response = try await answer(to: request, transfer, for: target, progress: progress)
                return validate(Response(response), for: target)
            } catch let failure as DownloadFailure {
                return .failure(.underlying(failure.error, failure.response.map { Response($0) }))
            } catch {
                return .failure(.underlying(error, nil))
            }
        }
    }

    private func answer(
        to request: URLRequest,
        _ transfer: Transfer,
        for target: Target,
        progress: ProgressHandler?
    ) async throws -> SessionResponse {
        switch transfer {
        case .request:
            return try await session.data(for: request, progress: progress)
        case .upload(let body, _):
            return try await session.data(for: request, body: body, uploadProgress: progress)
        case .download(let destination):
            return try await session.download(
                request,
                to: destination,
                accepting: { target.validationType.accepts($0) },
                progress: progress
            )
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
