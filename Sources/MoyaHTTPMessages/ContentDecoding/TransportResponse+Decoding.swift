import Foundation
import HTTPTypes

extension TransportResponse {
    /// Undoes the content codings of a response, unless the transport has done so, or the body has the bytes of another protocol.
    package func decoded(for request: TransportRequest) throws -> TransportResponse {
        guard !isDecoded, !isUpgraded else { return self }
        // The function captures only the fields, because a capture copies the whole request.
        let fields = request.headers
        var response = try decoded(
            limits: request.decodingLimits,
            bufferLimit: request.responseBufferLimit,
            accepting: fields[values: .acceptEncoding],
            refusingUnknown: request.refusesUnknownContentCodings,
            url: request.url
        )
        response.isDecoded = true
        return response
    }

    /// Undoes the content codings that the response's headers name (RFC 9110, section 8.4).
    ///
    /// A complete body stays complete if it decodes to at most `bufferLimit` bytes; otherwise it becomes a stream.
    /// A stream is decoded on demand, in pieces of up to 64 KiB; releasing it releases the original stream. Headers
    /// are not changed: `Content-Encoding` and `Content-Length` describe the encoded body. The response is returned
    /// unchanged if it has no coding, or an unknown one that the request accepts. A coding that is not supported, and
    /// that the request does not accept, is an error, unless the body is empty. Names that are not content codings, such
    /// as `none` and `UTF-8`, are skipped, as they are by Go, Node.js and browsers.
    ///
    /// - Parameters:
    ///   - limits: The limits on the size of the decoded body.
    ///   - bufferLimit: ``TransportRequest/responseBufferLimit``.
    ///   - accepted: The values of the request's `Accept-Encoding` fields.
    ///   - refusesUnknown: Whether names that are not content codings are errors, too.
    ///   - url: The URL of the response, for errors.
    /// - Returns: The decoded response.
    /// - Throws: `URLError`, also from the stream: `.dataLengthExceedsMaximum` if the size limit is exceeded,
    ///   `.cannotDecodeContentData` otherwise, each with its ``ContentDecodingError`` as the underlying error.
    ///   Errors of the original stream are not changed.
    package func decoded(
        limits: ContentDecodingLimits,
        bufferLimit: Int,
        accepting accepted: @autoclosure () -> [String] = [],
        refusingUnknown refusesUnknown: Bool = false,
        url: URL
    ) throws -> TransportResponse {
        // Most responses have no coding.
        guard fields.contains(.contentEncoding) else { return self }
        var response = self
        do throws(ContentDecodingError) {
            let values = headers[values: .contentEncoding]
            var codings = try ContentCoding.list(values)
            if codings == nil {
                // A coding that the request accepts explicitly is left to the caller, whatever its name.
                let accepted = accepted()
                guard ContentCoding.unsupported(in: values, accepting: accepted) != nil else { return self }
                if !refusesUnknown { codings = try ContentCoding.list(values, skippingUnknown: true) }
                if codings == nil {
                    guard
                        let name = ContentCoding.unsupported(
                            in: values,
                            accepting: accepted,
                            skippingUnknown: !refusesUnknown
                        )
                    else { return self }
                    return try refusing(name, url: url)
                }
            }
            guard let codings, !codings.isEmpty else { return self }
            let decoder = try BodyDecoder(codings, limits: limits)
            switch body {
            case .complete(let data):
                decoder.push(data)
                let start = try decoder.start(bufferLimit: bufferLimit)
                if start.count <= bufferLimit || start.isEmpty {
                    response.body = .complete(start)
                } else {
                    let rest = TransportBodyStream(of: TransportResponse(status: status, trailers: trailers))
                    response.body = .stream(rest.decoded(by: decoder, start: start, url: url))
                }
            case .stream(let stream):
                response.body = .stream(stream.decoded(by: decoder, url: url))
            }
        } catch {
            throw URLError(contentDecodingError: error, url: url)
        }
        return response
    }

    /// Returns the response with a body that fails if it contains any bytes, because its coding is not supported.
    private func refusing(_ name: String, url: URL) throws(ContentDecodingError) -> TransportResponse {
        switch body {
        case .complete(let data):
            guard data.isEmpty else { throw .unsupported(name) }
            return self
        case .stream(let stream):
            var response = self
            response.body = .stream(
                stream.wrapped { next in
                    while let chunk = try await next() {
                        guard chunk.isEmpty else { throw URLError(contentDecodingError: .unsupported(name), url: url) }
                    }
                    return nil
                }
            )
            return response
        }
    }
}

extension BodyDecoder {
    /// Returns the first bytes of the body: all of them, or slightly more than the limit.
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
    /// Creates the error for a content coding error.
    init(contentDecodingError error: ContentDecodingError, url: URL) {
        let code: URLError.Code
        if case .sizeExceeded = error { code = .dataLengthExceedsMaximum } else { code = .cannotDecodeContentData }
        self = .make(code, url: url, reason: error.errorDescription, cause: error)
    }
}

extension TransportBodyStream {
    /// Returns a stream that decodes the chunks of this one on demand.
    ///
    /// `start` is the first piece, if it has been decoded already.
    fileprivate func decoded(by decoder: sending BodyDecoder, start: Data? = nil, url: URL) -> TransportBodyStream {
        let body = DecodedBody(by: decoder, start: start, url: url)
        return wrapped { next in
            try await body.next(readingChunks: next)
        } mapError: {
            $0.asDecodingFailure(of: url)
        }
    }
}

extension Error {
    /// The same error, as a `URLError` if a content coding is its cause.
    fileprivate func asDecodingFailure(of url: URL) -> any Error {
        (self as? ContentDecodingError).map { URLError(contentDecodingError: $0, url: url) } ?? self
    }
}

extension TransportResponse {
    /// Applies the limits to a response whose content codings the engine has decoded, as URLSession does.
    ///
    /// The ratio is that of the body to its `Content-Length`, if there is one. A response without a
    /// `Content-Encoding` is returned unchanged.
    ///
    /// It throws `URLError`, also from the stream; see ``decoded(limits:bufferLimit:accepting:refusingUnknown:url:)``.
    package func limited(by limits: ContentDecodingLimits, url: URL) throws -> TransportResponse {
        guard fields.contains(.contentEncoding), headers.isCoded else { return self }
        let encoded = headers[.contentLength].flatMap { Int64($0) }
        var response = self
        switch body {
        case .complete(let data):
            var budget = DecodingBudget(limits)
            do throws(ContentDecodingError) {
                try budget.spend(data.count, encoded: encoded)
            } catch {
                throw URLError(contentDecodingError: error, url: url)
            }
        case .stream(let stream):
            let budget = Locked(DecodingBudget(limits))
            response.body = .stream(
                stream.wrapped { next in
                    guard let chunk = try await next() else { return nil }
                    try budget.withLock { try $0.spend(chunk.count, encoded: encoded) }
                    return chunk
                } mapError: {
                    $0.asDecodingFailure(of: url)
                }
            )
        }
        return response
    }
}
