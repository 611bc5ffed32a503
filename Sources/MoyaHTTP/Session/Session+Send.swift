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
            sessionHeaders: headers.get(),
            timeouts: SessionTimeouts(
                request: request.timeoutInterval,
                idle: configuration.timeoutIntervalForRequest,
                total: configuration.timeoutIntervalForResource
            ),
            responseBufferLimit: bufferLimit,
            decodingLimits: decodingLimits
        )
    }

    /// Sends a request and hands over the response as soon as it is there, its body still to be read.
    ///
    /// - Parameter uploadProgress: Called as the body is taken by the engine.
    func send(_ request: TransportRequest, uploadProgress: ProgressHandler? = nil) async throws -> TransportResponse {
        guard let uploadProgress, let body = request.body else { return try await transport.send(request) }
        let meter = ProgressMeter(report: uploadProgress)
        var request = request
        request.body = body.observed { meter.advanced(to: $0, of: $1) }
        let response = try await transport.send(request)
        meter.ended()
        return response
    }

    /// Reads a body into memory.
    ///
    /// - Throws: `URLError.dataLengthExceedsMaximum` if it has more than ``maximumBodySize`` bytes.
    func collect(_ response: TransportResponse, url: URL?, progress: ProgressHandler?) async throws -> Data {
        let meter = progress.map { ProgressMeter(total: response.knownLength ?? -1, report: $0) }
        defer { meter?.ended() }
        if let length = response.knownLength, length > maximumBodySize { throw bodyTooLarge(url) }
        switch response.body {
        case .complete(let data):
            guard data.count <= maximumBodySize else { throw bodyTooLarge(url) }
            meter?.advanced(by: data.count)
            return data
        case .stream(let stream):
            var data = Data()
            for try await chunk in stream {
                guard data.count + chunk.count <= maximumBodySize else { throw bodyTooLarge(url) }
                data.append(chunk)
                meter?.advanced(by: chunk.count)
            }
            return data
        }
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
