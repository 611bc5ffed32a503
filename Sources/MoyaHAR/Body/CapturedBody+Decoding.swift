import Foundation
import MoyaHTTP

extension CapturedBody {
    /// The body before its content coding (RFC 9110, section 8.4), so that it can be read, and compared with one that
    /// another version of zlib has compressed.
    ///
    /// - Returns: `nil` if it is not in gzip, if it is cut, or if it would be longer than what is kept.
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
