import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportResponse {
    /// Undoes the content codings of a response, unless the transport has done so.
    package func decoded(for request: TransportRequest) throws -> TransportResponse {
        guard !isDecoded else { return self }
        var response = try decoded(
            limits: request.decodingLimits,
            bufferLimit: request.responseBufferLimit,
            accepting: request.headers[values: .acceptEncoding],
            url: request.url
        )
        response.isDecoded = true
        return response
    }

    /// Undoes the content codings that the response's headers name (RFC 9110, section 8.4).
    ///
    /// A body that is there stays one value if it decodes to no more bytes than `bufferLimit`; otherwise it becomes a
    /// stream. A stream is decoded as it is read, in pieces of up to 64 KiB, so it is as slow as its reader; letting go
    /// of it lets go of the stream that it reads. Headers stay as they came: `Content-Encoding` and `Content-Length`
    /// tell of the body before this. Where there is no coding, nothing changes, nor where one is unknown that the request
    /// has asked for. An unknown one that it has not asked for is an error, unless the body is empty.
    ///
    /// - Parameters:
    ///   - limits: How far the body may grow.
    ///   - bufferLimit: ``TransportRequest/responseBufferLimit``.
    ///   - accepted: The values of the request's `Accept-Encoding` fields.
    ///   - url: Where the response is from, for errors.
    /// - Throws: `URLError`, as the stream does: `.dataLengthExceedsMaximum` for too many bytes,
    ///   `.cannotDecodeContentData` for the rest, each with its ``ContentDecodingError`` as the cause. What the stream
    ///   before it throws passes as it is.
    package func decoded(
        limits: ContentDecodingLimits,
        bufferLimit: Int,
        accepting accepted: [String] = [],
        url: URL
    ) throws -> TransportResponse {
        var response = self
        do throws(ContentDecodingError) {
            let codings = try ContentCoding.list(headers[values: .contentEncoding])
            guard let codings else { return try refusingUnsupported(accepting: accepted, url: url) }
            guard !codings.isEmpty else { return self }
            let decoder = try BodyDecoder(codings, limits: limits)
            switch body {
            case .complete(let data):
                decoder.push(data)
                let start = try decoder.start(bufferLimit: bufferLimit)
                if start.count <= bufferLimit || start.isEmpty {
                    response.body = .complete(start)
                } else {
                    let rest = TransportBodyStream { nil }
                    let body = DecodedBody(of: rest, by: decoder, start: start, url: url)
                    response.body = .stream(TransportBodyStream { try await body.next() })
                }
            case .stream(let stream):
                let body = DecodedBody(of: stream, by: decoder, url: url)
                response.body = .stream(TransportBodyStream { try await body.next() })
            }
        } catch {
            throw URLError(contentDecodingError: error, url: url)
        }
        return response
    }

    /// The response, whose body is an error if it has a coding that nobody can decode, and any bytes.
    private func refusingUnsupported(
        accepting accepted: [String],
        url: URL
    ) throws(ContentDecodingError) -> TransportResponse {
        let values = headers[values: .contentEncoding]
        guard let name = ContentCoding.unsupported(in: values, accepting: accepted) else { return self }
        switch body {
        case .complete(let data):
            guard data.isEmpty else { throw .unsupported(name) }
            return self
        case .stream(let stream):
            var response = self
            let body = UnsupportedBody(of: stream, coding: name, url: url)
            response.body = .stream(TransportBodyStream { try await body.next() })
            return response
        }
    }
}

/// A body that must be empty, since its coding can't be undone.
private actor UnsupportedBody {
    private let coding: String
    private let url: URL
    private var source: TransportBodyStream.Iterator?

    init(of source: TransportBodyStream, coding: String, url: URL) {
        self.source = source.makeAsyncIterator()
        self.coding = coding
        self.url = url
    }

    func next() async throws -> Data? {
        guard var reader = source else { return nil }
        while let chunk = try await reader.next() {
            guard chunk.isEmpty else {
                source = nil
                throw URLError(contentDecodingError: .unsupported(coding), url: url)
            }
        }
        source = nil
        return nil
    }
}

extension BodyDecoder {
    /// The first bytes of a body that has been pushed: all of them, or just more than fit.
    fileprivate func start(bufferLimit: Int) throws(ContentDecodingError) -> Data {
        var start = Data()
        while let piece = try next() {
            start.append(piece)
            if start.count > bufferLimit { return start }
        }
        try finish()
        return start
    }
}

extension URLError {
    /// Says in URLSession's terms what a decoder found.
    init(contentDecodingError error: ContentDecodingError, url: URL) {
        let code: URLError.Code
        if case .sizeExceeded = error { code = .dataLengthExceedsMaximum } else { code = .cannotDecodeContentData }
        self = .exchange(code, url: url, reason: error.errorDescription, cause: error)
    }
}

/// Decodes a body as it is read. An actor, because zlib's state is nothing to share.
private actor DecodedBody {
    private let url: URL
    private var start: Data?
    /// Let go of at the end and with an error, for that closes the exchange.
    private var work: (reader: TransportBodyStream.Iterator, decoder: BodyDecoder)?

    init(of source: TransportBodyStream, by decoder: sending BodyDecoder, start: Data? = nil, url: URL) {
        self.url = url
        self.start = start
        work = (source.makeAsyncIterator(), decoder)
    }

    /// The next piece, or `nil` at the end and after an error.
    func next() async throws -> Data? {
        if let start {
            self.start = nil
            return start
        }
        do {
            while let (iterator, decoder) = work {
                // What waits in the decoder may be long.
                guard !Task.isCancelled else { throw URLError.cancelled(url: url) }
                if let piece = try decoder.next() { return piece }
                var reader = iterator
                if let chunk = try await reader.next() {
                    decoder.push(chunk)
                } else {
                    try decoder.finish()
                    work = nil
                }
            }
            return nil
        } catch {
            work = nil
            throw (error as? ContentDecodingError).map { URLError(contentDecodingError: $0, url: url) } ?? error
        }
    }
}
