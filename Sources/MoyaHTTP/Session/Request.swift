import Foundation

/// A request of a session, from its creation to its end.
///
/// ``Session/request(_:interceptor:shouldAutomaticallyResume:)`` creates a request. It starts when its ``value`` is first
/// read or, if the session has `startRequestsImmediately: false`, with ``resume()``. Releasing a request that was never
/// started cancels it; a running one continues.
///
/// A ``RequestRetrier`` gets the request that it decides about.
public final class Request: Sendable {
    /// The unique ID of the request.
    public var id: UUID { record.id }
    /// The headers of the session's configuration, which it adds if the request does not have them.
    public let sessionHeaders: [String: String]
    /// The number of retries: 0 for the first attempt.
    public var retryCount: Int { record.retryCount }

    package let record: RequestRecord
    /// The request as it was created; `nil` if its creation failed.
    private let created: URLRequest?
    /// The task; `nil` for a view of a request that another task runs.
    private let runner: Runner?
    /// The settings, which the task reads when the request starts.
    private let settings: Locked<RequestSettings>
    private let sessionSettings: SessionSettings

    /// The task of a request, which may not have started.
    private struct Runner: Sendable {
        /// Whether the request is sent: true when resumed, false if cancelled before.
        let start: Promise<Bool>
        let startsWhenRead: Bool
        let task: Task<SessionResponse, any Error>
    }

    /// Creates a request, which `send` sends when it starts.
    ///
    /// It starts when its value is read if `startsWhenRead` is true, and with ``resume()`` otherwise. `nil` selects the session's
    /// setting.
    init(
        _ convertible: any URLRequestConvertible,
        session: Session,
        interceptor: (any RequestInterceptor)? = nil,
        startsWhenRead: Bool? = nil,
        send:
            @escaping @Sendable (Session, URLRequest, RequestRecord, RequestSettings) async throws -> SessionResponse =
            {
                try await $0.data(for: $1, record: $2, settings: $3)
            }
    ) {
        let urlRequest = Result { try convertible.asURLRequest() }
        let start = Promise<Bool>()
        let record = RequestRecord()
        let settings = Locked(RequestSettings(interceptor: interceptor))
        self.record = record
        self.settings = settings
        created = try? urlRequest.get()
        sessionSettings = session.settings
        sessionHeaders = session.sessionHeaders
        let task = Task {
            let request = try urlRequest.get()
            let isResumed = await start.wait(onCancel: false)
            guard isResumed else { throw URLError.cancelled(url: request.url) }
            defer { record.requestEnded() }
            return try await send(session, request, record, settings.withLock { $0 })
        }
        record.attach { task.cancel() }
        runner = Runner(
            start: start,
            startsWhenRead: startsWhenRead ?? session.startRequestsImmediately,
            task: task
        )
    }

    /// Creates a view of a request that another task runs.
    init(_ record: RequestRecord, session: Session, isAccepted: @escaping @Sendable (_ status: Int) -> Bool) {
        self.record = record
        settings = Locked(RequestSettings(isAccepted: isAccepted))
        created = nil
        sessionSettings = session.settings
        sessionHeaders = session.sessionHeaders
        runner = nil
    }

    deinit {
        if let runner, runner.start.value == nil { runner.task.cancel() }
    }

    /// The request of the last exchange, as adapters and redirects have made it or, before it is sent, as it was created; `nil` if
    /// its creation failed.
    public var request: URLRequest? { record.currentRequest ?? created }

    /// The head of the last attempt's response, if it has arrived.
    public var response: HTTPURLResponse? { record.response?.makeHTTPURLResponse() }

    /// Starts the request.
    ///
    /// Further calls have no effect.
    public func resume() { runner?.start.fulfill(true) }

    /// Cancels the request, started or not: it ends with `URLError.cancelled`.
    public func cancel() { record.cancel() }

    /// Whether ``cancel()`` has been called.
    public var isCancelled: Bool { record.isCancelled }

    /// Answers the server's challenges with a user name and a password.
    ///
    /// Call it before the request is started. With the persistence `.none` they are for this request; otherwise the session
    /// remembers them for the protection space of the challenge.
    @discardableResult
    public func authenticate(
        username: String,
        password: String,
        persistence: URLCredential.Persistence = .forSession
    ) -> Request {
        authenticate(with: URLCredential(user: username, password: password, persistence: persistence))
    }

    /// Answers the server's challenges with a credential.
    ///
    /// Call it before the request is started.
    @discardableResult
    public func authenticate(with credential: URLCredential) -> Request {
        record.setCredential(credential)
        return self
    }

    /// Accepts only the statuses for which a function returns true.
    ///
    /// Call it before the request is started. It does nothing if another task runs the request and this object is only a view
    /// of it.
    package func acceptStatuses(where isAccepted: @escaping @Sendable (_ status: Int) -> Bool) {
        guard runner != nil else { return }
        settings.withLock { $0.isAccepted = isAccepted }
    }

    /// Returns whether a status is accepted.
    package func isAccepted(_ status: Int) -> Bool { settings.withLock { $0.isAccepted }(status) }

    /// The response, with its whole body; every read returns the same.
    ///
    /// The first read starts the request, unless its session leaves that to ``resume()``. Throws the errors of
    /// ``Session/data(for:body:progress:uploadProgress:)``. Cancelling the task that waits cancels the request. The
    /// value of a request that is passed to a retrier is not available, and throws `URLError.resourceUnavailable`.
    public var value: SessionResponse {
        get async throws {
            guard let runner else { throw URLError.make(.resourceUnavailable, url: request?.url) }
            if runner.startsWhenRead { resume() }
            return try await withTaskCancellationHandler {
                try await runner.task.value
            } onCancel: {
                runner.task.cancel()
            }
        }
    }

    /// Returns the request as a `curl` command, with masked credentials.
    ///
    /// The command has all headers that are sent, including those that the session adds, and its cookies.
    public func cURLDescription() -> String { curlText() }

    /// Passes the text of ``cURLDescription()`` to a function.
    @discardableResult
    public func cURLDescription(calling handler: @escaping (String) -> Void) -> Self {
        handler(curlText())
        return self
    }

    /// Returns the request as a `curl` command.
    package func curlText(mask: SecretMask = .standard) -> String {
        let request = request
        return CURLCommand.text(for: request, sessionHeaders: sessionSettings.headers(addedTo: request), mask: mask)
    }
}

extension Request: CustomStringConvertible {
    /// The method, the URL with masked secrets and, if there is a response, its status: `GET https://example.com/ (200)`.
    public var description: String {
        guard let request, let url = request.url else { return "No request created yet." }
        let status = record.response.map { " (\($0.statusCode))" } ?? ""
        return "\(request.httpMethod ?? "GET") \(SecretMask.standard.text(of: url))\(status)"
    }
}
