import Foundation
import MoyaHTTP

extension CapturedBody {
    /// Returns the body with its content coding (RFC 9110, section 8.4) removed, for display and comparison.
    ///
    /// Bodies that different versions of zlib have compressed can be compared only in this form. The result is `nil`
    /// if the body is not gzip, is cut, or would exceed the limit.
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
