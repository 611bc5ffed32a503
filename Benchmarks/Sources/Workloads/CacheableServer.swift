import Foundation
import Moya
import Synchronization

/// A transport whose responses may be cached for an hour, so that the benchmarks measure only the cache.
public struct CacheableServer: HTTPTransport {
    /// The size of the responses' bodies in bytes.
    private let size: Int

    /// Creates a server.
    public init(size: Int) { self.size = size }

    /// Returns a response; a body of more than 64 KiB is a stream.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        let headers: HTTPFields = [
            .cacheControl: "max-age=3600", .contentType: "application/json", .contentLength: "\(size)",
            .eTag: "\"1\"",
        ]
        guard size > Self.chunk else {
            return TransportResponse(status: 200, headers: headers, body: .complete(Self.data(size)))
        }
        let sent = Count()
        let size = size
        let body = TransportBodyStream {
            let start = sent.value.wrappingAdd(Self.chunk, ordering: .relaxed).oldValue
            return start < size ? Self.data(min(Self.chunk, size - start)) : nil
        }
        return TransportResponse(status: 200, headers: headers, body: .stream(body))
    }

    /// Does nothing.
    public func shutdown() async {}

    private static let chunk = 65_536

    private static func data(_ count: Int) -> Data { Data(repeating: 0x5A, count: count) }

    private final class Count: Sendable {
        let value = Atomic(0)
    }
}
