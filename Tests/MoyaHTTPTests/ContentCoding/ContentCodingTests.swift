import Testing

@testable import MoyaHTTP

@Suite("Content-Encoding (RFC 9110, section 8.4)")
struct ContentCodingTests {
    @Test(
        "codings are read in the order in which they were applied",
        arguments: [
            ([], []),
            ([""], []),
            (["gzip"], [.gzip]),
            (["deflate"], [.deflate]),
            (["x-gzip"], [.gzip]),
            (["GZip"], [.gzip]),
            (["X-GZIP"], [.gzip]),
            (["DEFLATE"], [.deflate]),
            (["identity"], []),
            (["Identity, identity"], []),
            (["deflate, gzip"], [.deflate, .gzip]),
            (["gzip,deflate"], [.gzip, .deflate]),
            (["gzip\t , \tdeflate "], [.gzip, .deflate]),
            (["gzip", "deflate"], [.gzip, .deflate]),
            (["gzip, identity", "identity", "deflate, gzip"], [.gzip, .deflate, .gzip]),
            ([",, gzip ,, ,deflate,"], [.gzip, .deflate]),
            ([" ", ",", "\t"], []),
            (["gzip, gzip, gzip, gzip, gzip"], [.gzip, .gzip, .gzip, .gzip, .gzip]),
            (["identity, gzip, gzip, gzip, gzip, gzip, identity"], [.gzip, .gzip, .gzip, .gzip, .gzip]),
        ] as [([String], [ContentCoding])]
    )
    func known(values: [String], codings: [ContentCoding]) throws {
        #expect(try ContentCoding.list(values) == codings)
        #expect(ContentCoding.isCoded(values) == !codings.isEmpty)
    }

    @Test(
        "one unknown coding, and nothing can be undone",
        arguments: [
            ["xz"], ["lzma"], ["compress"], ["gzip, xz"], ["xz", "gzip"], ["gzip;q=1"], ["gzip deflate"], ["\"gzip\""],
            ["x-deflate"], ["*"], ["gzip;"], ["gz\u{0130}p"], ["gzip,\u{0301}"],
            ["gzip, gzip, gzip, gzip, gzip, gzip, xz"],
        ]
    )
    func unknown(values: [String]) throws {
        #expect(try ContentCoding.list(values) == nil)
        #expect(ContentCoding.isCoded(values))
    }

    @Test("more than five codings are refused", arguments: [6, 7, 1_000])
    func tooMany(count: Int) {
        let names = Array(repeating: "gzip", count: count)
        #expect(throws: ContentDecodingError.tooManyCodings) { try ContentCoding.list(names) }
        #expect(throws: ContentDecodingError.tooManyCodings) {
            try ContentCoding.list([names.joined(separator: ",")])
        }
    }
}
