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
        guard !plugins.isEmpty else { return request }
        // Made once for all plugins, here and below.
        let target: any TargetType = target
        return plugins.reduce(request) { $1.prepare($0, target: target) }
    }

    /// All plugins learn that the request is about to go.
    func announce(_ request: PreparedRequest, for target: Target, in scope: RequestScope?) {
        guard !plugins.isEmpty else { return }
        let request: any RequestType = request
        let target: any TargetType = target
        RequestScope.run(in: scope, with: plugins) { $0.willSend(request, target: target) }
    }

    /// What goes to the network for a mapped request, and what is done at each of its tries: all plugins prepare it, and learn
    /// that it goes.
    ///
    /// - Parameter note: Sees the request of each try.
    func live(
        _ request: URLRequest,
        _ transfer: Transfer,
        for target: Target,
        in scope: RequestScope?,
        note: @escaping @Sendable (PreparedRequest) -> Void = { _ in }
    ) -> (request: URLRequest, options: RequestOptions) {
        var request = request
        request.setContentType(of: transfer)
        let validation = target.validationType
        let record = RequestRecord(subject: target)
        let options = RequestOptions(
            record: record,
            interceptor: interceptor,
            prepare: { [self] request in
                let prepared = PreparedRequest(
                    prepare(request, for: target),
                    sending: .transfer(transfer),
                    session: session,
                    record: record
                )
                note(prepared)
                announce(prepared, for: target, in: scope)
                guard let request = prepared.request else { throw MoyaError.requestMapping("") }
                return request
            },
            accepts: { validation.accepts($0) }
        )
        return (request, options)
    }

    /// Asks the network: from the mapped request to the raw result. Any status that the target accepts is a success.
    func exchange(
        _ request: URLRequest,
        _ transfer: Transfer,
        for target: Target,
        in scope: RequestScope?,
        note: @escaping @Sendable (PreparedRequest) -> Void = { _ in },
        progress: ProgressHandler? = nil
    ) async -> Result<Response, MoyaError> {
        let (request, options) = live(request, transfer, for: target, in: scope, note: note)
        do {
            let response = try await answer(to: request, transfer, options: options, progress: progress)
            return validate(Response(response), for: target)
        } catch {
            return .failure(named(failure(error), for: target))
        }
    }

    private func answer(
        to request: URLRequest,
        _ transfer: Transfer,
        options: RequestOptions,
        progress: ProgressHandler?
    ) async throws -> SessionResponse {
        switch transfer {
        case .request:
            try await session.data(for: request, options: options, progress: progress)
        case .upload(let body, _):
            try await session.data(for: request, body: body, options: options, uploadProgress: progress)
        case .download(let destination):
            try await session.download(request, to: destination, options: options, progress: progress)
        }
    }

    /// What a request that the session could not do fails with.
    func failure(_ error: any Error) -> MoyaError {
        switch error {
        case let error as MoyaError: error
        case let failure as SessionFailure: .underlying(failure.error, failure.response.map { Response($0) })
        default: .underlying(error, nil)
        }
    }

    /// A response with a status that the target does not accept is a failure, with the response at hand.
    func validate(_ response: Response, for target: Target) -> Result<Response, MoyaError> {
        target.validationType.accepts(response.statusCode)
            ? .success(response)
            : .failure(.underlying(MoyaError.statusCode(response), response))
    }

    /// All plugins see the raw result.
    func show(_ result: Result<Response, MoyaError>, for target: Target, in scope: RequestScope?) {
        guard !plugins.isEmpty else { return }
        let target: any TargetType = target
        RequestScope.run(in: scope, with: plugins) { $0.didReceive(result, target: target) }
    }

    /// All plugins may change the result, each what the one before made of it.
    func process(_ result: Result<Response, MoyaError>, for target: Target) -> Result<Response, MoyaError> {
        guard !plugins.isEmpty else { return result }
        let target: any TargetType = target
        return plugins.reduce(result) { $1.process($0, target: target) }
    }

    /// A mistake in a target is told with the target's name, which neither an endpoint nor a session knows; and a
    /// cancellation as what it is to every caller.
    func named(_ error: MoyaError, for target: Target) -> MoyaError { error.asCancellation.naming(target) }

    /// What every cancelled request ends with.
    var cancelled: MoyaError { .underlying(URLError.cancelled(url: nil), nil) }
}
