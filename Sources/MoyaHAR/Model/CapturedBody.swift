import Foundation
import MoyaHTTP

/// The beginning of a body and its total size, captured while the body is transferred.
package struct CapturedBody: Equatable, Sendable {
    package let limit: Int
    /// The first bytes, at most ``limit``.
    package private(set) var kept = Data()
    package private(set) var size: Int64 = 0

    package init(limit: Int) { self.limit = max(0, limit) }

    package init(_ data: Data, limit: Int) {
        self.init(limit: limit)
        append(data)
    }

    package var isCut: Bool { Int64(kept.count) < size }

    package mutating func append(_ data: Data) {
        size += Int64(data.count)
        let room = limit - kept.count
        if room > 0 { kept.append(data.prefix(room)) }
    }
}

extension CapturedBody {
    /// Returns the body with its content coding (RFC 9110, section 8.4) removed, for display and comparison.
    ///
    /// Versions of zlib compress the same data differently, so bodies are compared decompressed. The result is `nil` if the body is
    /// not gzip, is cut, or would exceed the limit.
    package func decoded(contentEncoding: String?) -> Data? {
        let coding = contentEncoding?.trimmingCharacters(in: .whitespaces).lowercased()
        guard coding == "gzip", !isCut, let decoder = try? BodyDecoder([.gzip], limits: ContentDecodingLimits()) else {
            return nil
        }
        decoder.push(kept)
        var decoded = Data()
        do {
            while let piece = try decoder.next() {
                decoded += piece
                guard decoded.count <= limit else { return nil }
            }
            try decoder.finish()
        } catch {
            return nil
        }
        return decoded
    }
}
