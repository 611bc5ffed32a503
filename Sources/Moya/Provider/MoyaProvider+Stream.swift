import Foundation

// The streaming door.
extension MoyaProvider {
    /// Requests a target and hands over the response as soon as its head is there; the body is read as it comes.
    ///
    ///     let response = try await provider.stream(.log)
    ///     for try await line in response.lines { print(line) }
    ///
    /// The request goes the same way as any other. Plugins see the response once, when its head is there, with no data. A
    /// status that the target does not accept is a failure, and its body is collected for it. Equal requests don't share an
    /// exchange here. A stub's data is the whole body.
    ///
    /// - Throws: ``MoyaError``; for a task that downloads to a file ``MoyaError/parameterEncoding(_:)`` with
    ///   ``TargetMisuse``.
    public func stream(_ target: Target) async throws(MoyaError) -> StreamingResponse {
        try await stream(target) { _ in }
    }

    /// - Parameter adjust: May change the mapped request, before plugins see it.
    func stream(
        _ target: Target,
        adjust: (inout URLRequest) -> Void
    ) async throws(MoyaError) -> StreamingResponse {
        var body: TransportBodyStream?
        let result = await run(target, adjust: adjust, refuse: \.streamMisuse) { [self] in
            await exchange($0, $1, for: target, in: $2) { body = $0 }
        }
        let response = try result.get()
        return StreamingResponse(response, body: body ?? TransportBodyStream(.complete(response.data)))
    }

    /// Asks the network up to the response's head.
    private func exchange(
        _ request: URLRequest,
        _ transfer: Transfer,
        for target: Target,
        in scope: RequestScope?,
        body take: (TransportBodyStream) -> Void
    ) async -> Result<Response, MoyaError> {
        let upload: HTTPBody? = if case .upload(let body, _) = transfer { body } else { nil }
        let (request, options) = live(request, transfer, for: target, in: scope)
        do {
            let (head, body) = try await session.stream(for: request, body: upload, options: options)
            if target.validationType.accepts(head.statusCode) { take(body) }
            return validate(Response(head), for: target)
        } catch {
            return .failure(named(failure(error), for: target))
        }
    }
}

extension Transfer {
    /// Why it can't be streamed.
    fileprivate var streamMisuse: TargetMisuse? {
        if case .download = self { .downloadIsStreamed } else { nil }
    }
}

extension TargetMisuse {
    fileprivate static let downloadIsStreamed = TargetMisuse(
        target: nil,
        property: "task",
        problem: "it downloads to a file, and was asked for as a stream",
        remedy: "call request, or use a task without a destination"
    )
}
