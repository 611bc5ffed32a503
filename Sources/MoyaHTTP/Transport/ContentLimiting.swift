import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportResponse {
    /// Holds to the limits a response whose content codings the engine has undone by itself, as URLSession does.
    ///
    /// The ratio is that of the body to its `Content-Length`, and is not looked at where there is none. A response
    /// without a `Content-Encoding` stays as it is.
    ///
    /// - Parameter url: Where the response is from, for errors.
    /// - Throws: `URLError`, as the stream does; see ``decoded(limits:bufferLimit:url:)``.
    func limited(by limits: ContentDecodingLimits, url: URL) throws -> TransportResponse {
        guard ContentCoding.isCoded(headers[values: .contentEncoding]) else { return self }
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
            let body = LimitedBody(of: stream, budget: DecodingBudget(limits), encoded: encoded, url: url)
            response.body = .stream(TransportBodyStream { try await body.next() })
        }
        return response
    }
}

/// Counts a body as it is read.
private actor LimitedBody {
    private let url: URL
    private let encoded: Int64?
    private var budget: DecodingBudget
    /// Let go of at the end and with an error, for that closes the exchange.
    private var source: TransportBodyStream.Iterator?

    init(of source: TransportBodyStream, budget: DecodingBudget, encoded: Int64?, url: URL) {
        self.url = url
        self.encoded = encoded
        self.budget = budget
        self.source = source.makeAsyncIterator()
    }

    /// The next chunk, or `nil` at the end and after an error.
    func next() async throws -> Data? {
        // An iterator holds its source, and has no other state.
        guard var reader = source else { return nil }
        do {
            guard let chunk = try await reader.next() else {
                source = nil
                return nil
            }
            try budget.spend(chunk.count, encoded: encoded)
            return chunk
        } catch {
            source = nil
            throw (error as? ContentDecodingError).map { URLError(contentDecodingError: $0, url: url) } ?? error
        }
    }
}
