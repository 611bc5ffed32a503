import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The way in which the body of a response is handled.
enum ResponseBodyHandling: Sendable {
    /// Reads the body into memory.
    case collect(progress: ProgressMeter?)
    /// Writes the body to a file.
    case save(Download)
    /// Passes the body to the caller as it arrives.
    case stream

    /// The size, in bytes, up to which the transport waits for the whole body.
    ///
    /// Callers that want progress, or the body as it arrives, get each piece.
    var bufferLimit: Int {
        if case .collect(progress: nil) = self { TransportRequest.defaultResponseBufferLimit } else { 0 }
    }

    /// Whether further exchanges may follow that continue the body.
    var isContinuable: Bool { if case .save = self { true } else { false } }
}

/// Handles the body of each response, from an exchange or from a middleware.
struct ResponseBodyHandler: Sendable {
    /// The size, in bytes, up to which a body is read into memory.
    let maximumSize: Int
    let clock: any Clock<Duration>
    let transport: SessionTransport
    let exchange: ExchangeHandler
    let redirects: RedirectStage

    /// Reads the body of a response according to the request's ``RequestContext/bodyHandling``.
    ///
    /// The body of a response whose status is not accepted is always read into memory.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - request: The request as it was created.
    ///   - isContinuable: Whether the response is that of the last exchange, which may be continued.
    ///   - context: What belongs to the request.
    /// - Returns: The response, with its body in memory, in the file of a download, or as a stream.
    /// - Throws: `URLError.dataLengthExceedsMaximum`, ``DownloadError``, or the error of the body.
    @inline(__always)
    nonisolated(nonsending) func handle(
        _ response: TransportResponse,
        to request: URLRequest,
        isContinuable: Bool,
        context: RequestContext
    ) async throws -> TransportResponse {
        context.uploadMeter?.ended()
        // Most bodies are complete already.
        guard case .collect(progress: nil) = context.bodyHandling, case .complete(let data) = response.body,
            data.count <= maximumSize
        else { return try await read(response, to: request, isContinuable: isContinuable, context) }
        var handled = response
        handled.mark = context.mark
        return handled
    }

    @inline(never)
    private nonisolated(nonsending) func read(
        _ response: TransportResponse,
        to request: URLRequest,
        isContinuable: Bool,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        var handled: TransportResponse
        let isAccepted = context.accepts(response.status)
        switch context.bodyHandling {
        case .collect(let progress):
            handled = try await collect(response, to: request, progress: progress, context)
        case .save(let download) where isAccepted:
            handled = try await save(response, to: request, by: download, isContinuable: isContinuable, context)
        case .stream where isAccepted:
            handled = response
            let part = RunningPart(of: context.session.running)
            let stream = TransportBodyStream(of: response).keeping(transport.current, part, url: context.state.url)
            handled.body = .stream(stream)
        case .save, .stream:
            handled = try await collect(response, to: request, progress: nil, context)
        }
        handled.mark = context.mark
        return handled
    }

    /// Keeps a response that a retrier has replaced by an error, as the response that goes with the error.
    ///
    /// Its body is read into memory, unless it belongs into a file or to the caller as a stream.
    @inline(never)
    nonisolated(nonsending) func handleRefused(
        _ response: TransportResponse,
        to request: URLRequest,
        context: RequestContext
    ) async {
        let isRead = if case .collect = context.bodyHandling { true } else { !context.accepts(response.status) }
        guard isRead else { return context.state.failed(with: context.state.response(response, to: request)) }
        // What arrives of a body that breaks off is kept by `collect`.
        guard let read = try? await collect(response, to: request, progress: nil, context) else { return }
        context.state.failed(with: context.state.response(response, to: request, data: read.collected))
    }

    // MARK: In memory

    private nonisolated(nonsending) func collect(
        _ response: TransportResponse,
        to request: URLRequest,
        progress: ProgressMeter?,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        let url = context.state.url ?? request.url
        var data = Data()
        var trailers = response.trailers
        do {
            progress?.expect(response.knownLength)
            defer { progress?.ended() }
            try check(response.knownLength, url: url)
            switch response.body {
            case .complete(let body):
                data = body
                progress?.advanced(to: Int64(body.count), of: nil)
            case .stream(let stream):
                for try await chunk in stream {
                    try check(Int64(data.count + chunk.count), url: url)
                    data.append(chunk)
                    progress?.advanced(to: Int64(data.count), of: nil)
                }
                trailers = stream.trailers ?? HTTPFields()
            }
        } catch {
            context.state.failed(with: context.state.response(response, to: request, data: data))
            throw error
        }
        var response = response
        response.body = .complete(data)
        response.trailers = trailers
        return response
    }

    private func check(_ length: Int64?, url: URL?) throws {
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

    private func save(
        _ response: TransportResponse,
        to request: URLRequest,
        by download: Download,
        isContinuable: Bool,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        let head = context.state.response(response, to: request)
        let trailers: HTTPFields
        do {
            let last = isContinuable ? context.state.exchange : nil
            trailers = try await download.save(response, head: head, to: last?.request, clock: clock) { headers in
                guard let last else { throw URLError.make(.networkConnectionLost, url: head.url) }
                return try await self.sendAgain(last, with: headers, context)
            }
        } catch let other as Download.OtherResponse {
            return try await collectInsteadOfRest(other.response, to: request, context)
        } catch {
            context.state.failed(with: head)
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

    /// Sends the request of a download again, with these fields in place of its own.
    ///
    /// It is sent to the URL that the redirects led to. They are followed again if that URL is no longer valid, as that of
    /// a redirect is for one request only, unless it is permanent (RFC 9110, section 15.4).
    private nonisolated(nonsending) func sendAgain(
        _ first: (request: TransportRequest, scope: ExchangeScope),
        with headers: HTTPFields,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        // The redirects may have been followed again before.
        let last = context.state.exchange ?? first
        let fields = first.request.rangeFields.replaced(by: headers)
        var response = try await exchange(last.request.setting(fields), context.continuing(last.scope))
        let isRedirected = context.state.counts.redirects > 0
        guard RedirectRules.isExpired(by: response.status, isRedirected: isRedirected),
            let original = context.state.prepared, original.httpMethod ?? "GET" == "GET"
        else { return response }
        // The next exchange may need the connection of a body that is not read.
        response.body = .complete(Data())
        return try await redirects.sendAgain(original, setting: fields, like: first, context)
    }

    /// Reads a response to a request for the rest of a file that is not the rest: an error, for example.
    private func collectInsteadOfRest(
        _ other: TransportResponse,
        to request: URLRequest,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        guard context.accepts(other.status) else {
            return try await collect(other, to: request, progress: nil, context)
        }
        // A status that is accepted would be taken for that of the file.
        context.state.failed(with: context.state.response(other, to: request))
        throw URLError.make(
            .badServerResponse,
            url: context.state.url ?? request.url,
            reason: other.status == 206
                ? "The server's response is not the rest of the file: its range or its validator is another one."
                : "The server answered the request for the rest of the file with status \(other.status)."
        )
    }
}

/// Handles the bodies of responses that the stages below have created, without an attempt.
struct ResponseBodyStage: RequestStage {
    let handler: ResponseBodyHandler

    nonisolated(nonsending) func respond(
        to request: OutgoingRequest,
        context: RequestContext,
        next: RequestHandler
    ) async throws -> TransportResponse {
        let response = try await next(request, context)
        if let mark = response.mark, mark === context.mark { return response }
        return try await handler.handle(response, to: request.urlRequest, isContinuable: false, context: context)
    }
}

extension RequestContext {
    /// Returns the context of an exchange that continues another one.
    fileprivate func continuing(_ scope: ExchangeScope) -> RequestContext {
        var context = self
        context.exchanges = scope
        return context
    }
}

/// The fields that request a part of a file; none for a name that is not sent.
struct RangeFields: Sendable {
    private(set) var values: [(name: HTTPField.Name, fields: [HTTPField])]

    /// Returns the values with these in place of those of the same name.
    fileprivate func replaced(by headers: HTTPFields) -> RangeFields {
        RangeFields(values: values.map { ($0.name, headers.contains($0.name) ? headers[fields: $0.name] : $0.fields) })
    }
}

extension TransportRequest {
    /// The fields that ``DownloadResumption/headers`` may replace.
    fileprivate var rangeFields: RangeFields {
        RangeFields(values: [.range, .ifRange, .acceptEncoding].map { ($0, headers[fields: $0]) })
    }

    /// Returns the request with these fields in place of its own.
    fileprivate func setting(_ fields: RangeFields) -> TransportRequest {
        var request = self
        for (name, values) in fields.values { request.headers[fields: name] = values }
        return request
    }
}

/// The error of a body that is read into memory and has more bytes than ``Session/maximumBodySize``.
///
/// It is found under `NSUnderlyingErrorKey` of a `URLError.dataLengthExceedsMaximum`.
public struct BodySizeError: Error, Equatable, Sendable, MaskedError {
    /// The maximum, in bytes.
    public let maximum: Int

    /// A sentence with the limit and a remedy.
    public var errorDescription: String? {
        "The response's body has more than \(maximum) bytes: increase the session's maximumBodySize, or read it as a stream."
    }
}

extension TransportBodyStream {
    /// Returns the same body, in the form for the session's caller.
    ///
    /// It keeps its transport, and is a part of a running request, until it has been read to its end or its error, or is
    /// released. A cancellation is a `URLError`, regardless of the error that the transport throws.
    fileprivate func keeping(_ transport: (any HTTPTransport)?, _ part: RunningPart, url: URL?) -> TransportBodyStream {
        let kept = Locked<KeptByBody?>(KeptByBody(transport: transport, part: part))
        let iterator = Locked<TransportBodyStream.Iterator?>(makeAsyncIterator())
        return replacingChunks {
            // After the end there is nothing to read, regardless of the transport.
            guard var reader = iterator.withLock({ $0 }) else { return nil }
            do {
                if let chunk = try await reader.next() { return chunk }
                iterator.withLock { $0 = nil }
                kept.release()
                return nil
            } catch {
                iterator.withLock { $0 = nil }
                kept.release()
                throw error.asCancellation(of: url)
            }
        }
    }
}

/// The objects that the body of a response keeps until its end.
private struct KeptByBody: Sendable {
    let transport: (any HTTPTransport)?
    let part: RunningPart
}

/// A body that is being read, which counts as a running request.
private final class RunningPart: Sendable {
    private let running: RunningRequests

    init(of running: RunningRequests) {
        self.running = running
        running.beginPart()
    }

    deinit { running.end() }
}

extension Locked where Value == KeptByBody? {
    /// Releases the objects outside of the lock: their deinitialization runs other code.
    fileprivate func release() {
        _ = withLock { kept in
            defer { kept = nil }
            return kept
        }
    }
}
