import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Session {
    /// Sends a request and writes the response's body into a file.
    ///
    /// The file is written beside its destination and moved there when it is whole, so that nothing half done is ever found
    /// there. Any status is a response, and its body goes into the file.
    ///
    /// - Parameters:
    ///   - request: The request, as for ``data(for:body:progress:uploadProgress:)``.
    ///   - destination: Asked for the file's place when the response's head is there.
    ///   - progress: Called as the body arrives, not more often than is of use.
    /// - Returns: The response, without data.
    /// - Throws: ``DownloadError`` for what stands in the file's way, and what
    ///   ``data(for:body:progress:uploadProgress:)`` throws.
    public func download(
        _ request: any URLRequestConvertible,
        to destination: @escaping DownloadRequest.Destination,
        progress: ProgressHandler? = nil
    ) async throws -> SessionResponse {
        do {
            return try await download(request, to: destination, options: RequestOptions(), progress: progress)
        } catch {
            throw error.withoutResponse
        }
    }

    /// The body of a response whose status is not accepted makes no file, and is collected in memory.
    ///
    /// - Throws: ``SessionFailure`` once there is a response.
    package func download(
        _ request: any URLRequestConvertible,
        to destination: @escaping DownloadRequest.Destination,
        options: RequestOptions,
        progress: ProgressHandler? = nil
    ) async throws -> SessionResponse {
        let call = SessionCall(try request.asURLRequest(), bufferLimit: 0, options: options)
        let accepts = options.accepts ?? { _ in true }
        let meter = progress.map { ProgressMeter(report: $0) }
        // One for all tries: what one has brought the next one need not bring again.
        var download: Download?
        do {
            return try await perform(call) { answer, events in
                guard accepts(answer.response.status) else {
                    return try await collect(answer, progress: nil, events: events)
                }
                let response = answer.sessionResponse()
                do {
                    if download == nil {
                        guard let head = response.makeHTTPURLResponse() else {
                            throw URLError.exchange(.badURL, url: answer.sent.url)
                        }
                        let place = destination(Self.temporaryFile(), head)
                        download = try await Download(
                            answer,
                            at: place,
                            isContinuable: mayRetry(options),
                            progress: meter,
                            clock: policies.clock
                        )
                    }
                    try await download?.run(answer) { try await answer.hops.repeatLast(answer.sent, with: $0) }
                    events?.report(.finished(status: response.statusCode))
                    return response
                } catch let other as Download.OtherAnswer {
                    return try await collect(other.response, to: answer, accepting: accepts, events: events)
                } catch {
                    throw SessionFailure(error: error, response: response)
                }
            }
        } catch {
            await download?.end(error.withoutResponse)
            throw error
        }
    }

    /// Whether a request that fails may be tried again.
    private func mayRetry(_ options: RequestOptions) -> Bool { interceptor != nil || options.interceptor != nil }

    /// Takes an answer to the request for the rest that is about something else: an error, for example.
    private func collect(
        _ other: TransportResponse,
        to answer: SessionAnswer,
        accepting accepts: (Int) -> Bool,
        events: EventReporter?
    ) async throws -> SessionResponse {
        var answer = answer
        answer.response = other
        // Where every status makes a file, this one would be taken for the rest of it.
        guard !accepts(other.status) else {
            let error = URLError.exchange(
                .badServerResponse,
                url: answer.sent.url,
                reason: other.status == 206
                    ? "The server's response is not the rest of the file: its range or its validator is another one."
                    : "The server answered the request for the rest of the file with status \(other.status)."
            )
            throw SessionFailure(error: error, response: answer.sessionResponse())
        }
        return try await collect(answer, progress: nil, events: events)
    }

    /// A place that nothing is at, for destinations that leave the file where it is.
    private static func temporaryFile() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("Moya-\(UUID().uuidString).download")
    }
}
