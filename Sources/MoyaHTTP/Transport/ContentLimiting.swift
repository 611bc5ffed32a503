import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportResponse {
    /// Applies the limits to a response whose content codings the engine has decoded, as URLSession does.
    ///
    /// The ratio is that of the body to its `Content-Length`, if there is one. A response without a
    /// `Content-Encoding` is returned unchanged.
    ///
    /// It throws `URLError`, also from the stream; see ``decoded(limits:bufferLimit:accepting:url:)``.
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

/// A body whose size is limited while it is read.
private actor LimitedBody {
    private let url: URL
    private let encoded: Int64?
    private var budget: DecodingBudget
    /// The source, released at the end and after an error, which closes the exchange.
    private var source: TransportBodyStream.Iterator?

    init(of source: TransportBodyStream, budget: DecodingBudget, encoded: Int64?, url: URL) {
        self.url = url
        self.encoded = encoded
        self.budget = budget
        self.source = source.makeAsyncIterator()
    }

    /// Returns the next chunk, or `nil` at the end and after an error.
    func next() async throws -> Data? {
        // A copy of the iterator is sufficient, since its only state is its source.
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
