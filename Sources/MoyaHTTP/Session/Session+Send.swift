import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Takes note of how far a transfer has come. The object counts bytes; its `totalUnitCount` is -1 where the length is not
/// known. It is called on no particular thread.
public typealias ProgressHandler = @Sendable (Progress) -> Void

// What every door of a session goes through.
extension Session {
    /// Makes what the transport gets from a request, or throws what is wrong with it.
    ///
    /// - Parameters:
    ///   - body: Sent in place of the one in the request.
    ///   - bufferLimit: A response body of up to so many bytes is waited for.
    func transportRequest(
        for request: URLRequest,
        body: HTTPBody? = nil,
        bufferLimit: Int
    ) throws -> TransportRequest {
        try TransportRequest(
            checking: request,
            body: body,
            sessionHeaders: policies.headers.get(),
            timeouts: policies.timeouts.replaced(by: request.timeoutInterval),
            responseBufferLimit: bufferLimit,
            decodingLimits: decodingLimits
        )
    }

    /// Does what one of the doors asks for, in as many tries as it takes.
    ///
    /// - Parameter finish: Makes of an answer what the caller wants. It is part of the try: if it fails, that may be repeated.
    func perform<Value>(
        _ call: SessionCall,
        finish: (SessionAnswer, EventReporter?) async throws -> Value
    ) async throws -> Value {
        var tries = SessionTries(call, of: self)
        return try await tries.run { answer, events in
            call.uploadMeter?.ended()
            return try await finish(answer, events)
        }
    }

    /// Reads the body of an answer into memory.
    ///
    /// - Throws: ``SessionFailure``, with what had come by then.
    func collect(
        _ answer: SessionAnswer,
        progress: ProgressMeter?,
        events: EventReporter?
    ) async throws -> SessionResponse {
        var data = Data()
        do {
            progress?.expect(answer.response.knownLength)
            defer { progress?.ended() }
            try check(answer.response.knownLength, url: answer.sent.url)
            switch answer.response.body {
            case .complete(let body):
                data = body
                progress?.advanced(to: Int64(body.count), of: nil)
            case .stream(let stream):
                try await collect(stream, into: &data, url: answer.sent.url, progress: progress)
            }
        } catch {
            throw SessionFailure(error: error, response: answer.sessionResponse(data: data))
        }
        events?.report(.body(bytes: data.count))
        events?.report(.finished(status: answer.response.status))
        return answer.sessionResponse(data: data)
    }

    /// Reads a body into memory.
    ///
    /// - Throws: `URLError.dataLengthExceedsMaximum` if it has more than ``maximumBodySize`` bytes.
    private func collect(
        _ stream: TransportBodyStream,
        into data: inout Data,
        url: URL?,
        progress meter: ProgressMeter?
    ) async throws {
        for try await chunk in stream {
            try check(Int64(data.count + chunk.count), url: url)
            data.append(chunk)
            meter?.advanced(to: Int64(data.count), of: nil)
        }
    }

    private func check(_ length: Int64?, url: URL?) throws {
        if let length, length > maximumBodySize { throw bodyTooLarge(url) }
    }

    private func bodyTooLarge(_ url: URL?) -> URLError {
        .exchange(
            .dataLengthExceedsMaximum,
            url: url,
            reason:
                "The response's body has more than \(maximumBodySize) bytes, which is the session's maximumBodySize: "
                + "download it to a file, stream it, or make the session with a larger maximum.",
            cause: BodySizeError(maximum: maximumBodySize)
        )
    }
}

/// A body that is collected in memory and has more bytes than ``Session/maximumBodySize``. It is found under
/// `NSUnderlyingErrorKey` of an `URLError.dataLengthExceedsMaximum`.
public struct BodySizeError: Error, Equatable, Sendable {
    /// The maximum, in bytes.
    public let maximum: Int
}

extension TransportResponse {
    /// How many bytes the body has, as it arrives here, if that is said.
    var knownLength: Int64? {
        if case .complete(let data) = body { return Int64(data.count) }
        // The length of a coded body is not that of what arrives here.
        let isCoded = headers[.contentEncoding].map { $0.lowercased() != "identity" } ?? false
        return isCoded ? nil : headers[.contentLength].flatMap { Int64($0) }
    }
}
