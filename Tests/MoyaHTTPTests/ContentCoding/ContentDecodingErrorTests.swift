import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

@Suite("The texts of decoding errors explain the errors")
struct ContentDecodingErrorTests {
    @Test(
        "each text of a decoding error names the problem and a remedy",
        arguments: [
            (.corrupt(.gzip), ["gzip", "damaged", "try again", "identity"]),
            (.corrupt(.deflate), ["deflate"]),
            (.truncated, ["incomplete", "try again"]),
            (.ratioExceeded(limit: 200), ["200 times", "ContentDecodingLimits.ratio"]),
            (.sizeExceeded(limit: 77), ["77 bytes", "ContentDecodingLimits.size"]),
            (.tooManyCodings, ["more than 5", "identity"]),
            (.zlib(ZlibError(-4)), ["zlib", "memory"]),
            (.zlib(ZlibError(-6)), ["zlib", "version"]),
            (.zlib(ZlibError(-2)), ["zlib", "-2"]),
        ] as [(ContentDecodingError, [String])]
    )
    func texts(error: ContentDecodingError, parts: [String]) {
        for part in parts {
            #expect(error.localizedDescription.contains(part), "\(error.localizedDescription)")
        }
    }
}
