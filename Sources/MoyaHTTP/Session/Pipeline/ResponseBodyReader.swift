import Foundation
import HTTPTypes

/// Reads the body of each response, from an exchange or from a middleware, in the way that the caller wants.
struct ResponseBodyReader: Sendable {
    /// The size, in bytes, up to which a body is read into memory.
    let maximumSize: Int
    let clock: any Clock<Duration>
    let transport: SessionTransport

    /// Reads the body of a response according to the request's ``RequestContext/bodyHandling``.
    ///
    /// The body of a response whose status is not accepted is always read into memory.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The request as it was created.
    ///   - context: The context of the request.
    /// - Returns: The response, with its body in memory, in the file of a download, or as a stream.
    /// - Throws: `URLError.dataLengthExceedsMaximum`, ``DownloadError``, or the error of the body.
    @inline(__always)
    nonisolated(nonsending) func read(
        _ response: TransportResponse,
        to request: URLRequest,
        context: RequestContext
    ) async throws -> TransportResponse {
        // The usual path: a complete body that is returned as data.
        guard case .collect(progress: nil) = context.bodyHandling, case .complete(let data) = response.body,
            data.count <= maximumSize
        else { return try await readAnyBody(response, to: request, context) }
        var read = response
        read.tag = context.tag
        return read
    }

    /// Reads the body of any response, which may be a stream.
    @inline(never)
    private nonisolated(nonsending) func readAnyBody(
        _ response: TransportResponse,
        to request: URLRequest,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        var read: TransportResponse
        let isAccepted = response.isUpgraded || context.settings.isAccepted(response.status)
        switch context.bodyHandling {
        case .collect(let progress):
            read = try await collect(response, to: request, progress: progress, context)
        case .save(let download) where isAccepted:
            read = try await save(response, to: request, by: download, context)
        case .stream where isAccepted, .upgrade where response.isUpgraded:
            read = response
            let (running, url) = (RunningBody(of: context.session.runningRequests), context.record.currentURL)
            read.body = .stream(TransportBodyStream(of: response).keeping(transport.current, running, url: url))
        case .save, .stream, .upgrade:
            read = try await collect(response, to: request, progress: nil, context)
        }
        read.tag = context.tag
        return read
    }

    /// Reads the response of an attempt whose result a retrier has replaced by an error, and records it as the response that goes
    /// with the error.
    ///
    /// The body is read into memory, unless the caller wants an accepted response as a file or as a stream.
    @inline(never)
    nonisolated(nonsending) func readFailedResponse(
        of result: Result<TransportResponse, any Error>,
        to request: URLRequest,
        context: RequestContext
    ) async {
        let record = context.record
        guard case .success(let response) = result else { return record.recordHeadAsFailedResponse() }
        let isCollected =
            if case .collect = context.bodyHandling { true } else {
                !context.settings.isAccepted(response.status)
            }
        guard isCollected else { return record.recordFailedResponse(record.makeResponse(response, to: request)) }
        // If the body breaks off, `collect` records the part that has arrived.
        guard let read = try? await collect(response, to: request, progress: nil, context) else { return }
        record.recordFailedResponse(record.makeResponse(response, to: request, data: read.bodyInMemory))
    }

    // MARK: In memory

    /// Reads a body into memory, and records the part that has arrived if the body breaks off.
    private nonisolated(nonsending) func collect(
        _ response: TransportResponse,
        to request: URLRequest,
        progress: ProgressMeter?,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        let url = context.record.currentURL ?? request.url
        var data = Data()
        var trailers = response.trailers
        do {
            progress?.expect(response.knownLength)
            defer { progress?.flush() }
            try checkSize(response.knownLength, url: url)
            switch response.body {
            case .complete(let body):
                data = body
                progress?.advance(to: Int64(body.count), of: nil)
            case .stream(let stream):
                for try await chunk in stream {
                    try checkSize(Int64(data.count + chunk.count), url: url)
                    data.append(chunk)
                    progress?.advance(to: Int64(data.count), of: nil)
                }
                trailers = stream.trailers ?? HTTPFields()
            }
        } catch {
            context.record.recordFailedResponse(context.record.makeResponse(response, to: request, data: data))
            throw error
        }
        var response = response
        response.body = .complete(data)
        response.trailers = trailers
        return response
    }

    private func checkSize(_ length: Int64?, url: URL?) throws {
        guard let length, length > maximumSize else { return }
        throw URLError.make(
            .dataLengthExceedsMaximum,
            url: url,
            reason:
                "The response's body has more than \(maximumSize) bytes, which is the session's maximumBodySize: "
                + "download it to a file, stream it, or make the session with a larger maximum.",
            cause: BodySizeError(maximum: maximumSize)
        )
    }

    // MARK: In a file

    /// Writes a body to the file of a download, which requests the rest of a body that breaks off.
    private func save(
        _ response: TransportResponse,
        to request: URLRequest,
        by download: Download,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        let head = context.record.makeResponse(response, to: request)
        let rest = response.rest
        let trailers: HTTPFields
        do {
            trailers = try await download.save(response, head: head, to: rest?.request, clock: clock) { fields in
                guard let rest else { throw URLError.make(.networkConnectionLost, url: head.url) }
                return try await rest.send(fields)
            }
        } catch let other as Download.OtherResponse {
            return try await collectInsteadOfRest(other.response, to: request, context)
        } catch {
            context.record.recordFailedResponse(head)
            throw error
        }
        var response = response
        let url = head.url
        response.body = .stream(
            TransportBodyStream {
                throw URLError.make(
                    .resourceUnavailable,
                    url: url,
                    reason: "The response's body has been written to the file of the download."
                )
            }
        )
        response.isSaved = true
        response.trailers = trailers
        return response
    }

    /// Reads a response that is not the requested rest of a file, such as an error.
    private func collectInsteadOfRest(
        _ other: TransportResponse,
        to request: URLRequest,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        guard context.settings.isAccepted(other.status) else {
            return try await collect(other, to: request, progress: nil, context)
        }
        // If the response were returned, its accepted status would look like the status of the file.
        context.record.recordFailedResponse(context.record.makeResponse(other, to: request))
        throw URLError.make(
            .badServerResponse,
            url: context.record.currentURL ?? request.url,
            reason: other.status == 206
                ? "The server's response is not the rest of the file: its range or its validator is another one."
                : "The server responded to the request for the rest of the file with status \(other.status)."
        )
    }
}

extension TransportBodyStream {
    /// Returns the same body, in the form for the session's caller.
    ///
    /// It keeps its transport, and counts as running, until it has been read to its end or its error, or is released. A
    /// cancellation is a `URLError`, regardless of the error that the transport throws.
    fileprivate func keeping(_ transport: (any HTTPTransport)?, _ running: RunningBody, url: URL?)
        -> TransportBodyStream
    {
        let kept = (transport, running)
        return wrapped { next in
            defer { withExtendedLifetime(kept) {} }
            return try await next()
        } mapError: {
            $0.asCancellation(of: url)
        }
    }
}

/// A body that is being read, which counts as a running request.
private final class RunningBody: Sendable {
    private let running: RunningRequests

    init(of running: RunningRequests) {
        self.running = running
        running.beginWork()
    }

    deinit { running.ended() }
}
