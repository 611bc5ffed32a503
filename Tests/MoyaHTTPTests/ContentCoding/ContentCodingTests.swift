import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

@Suite("Content-Encoding is parsed (RFC 9110, section 8.4)")
struct ContentCodingTests {
    @Test(
        "content codings are listed in the order in which they were applied",
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
        "one unknown content coding prevents the decoding",
        arguments: [
            ["xz"], ["lzma"], ["compress"], ["gzip, xz"], ["xz", "gzip"], ["gzip;q=1"], ["gzip deflate"], ["\"gzip\""],
            ["x-deflate"], ["gzip;"], ["gz\u{0130}p"], ["gzip,\u{0301}"],
            ["gzip, gzip, gzip, gzip, gzip, gzip, xz"],
        ]
    )
    func unknown(values: [String]) throws {
        #expect(try ContentCoding.list(values) == nil)
        #expect(ContentCoding.isCoded(values))
    }

    /// curl refuses all but `none` with `--compressed`, and Go, the http module of Node.js and browsers deliver the
    /// body.
    @Test(
        "a name that is not a content coding is skipped, if that is allowed",
        arguments: [
            (["none"], []), (["UTF-8"], []), (["aws-chunked"], []), (["foo"], []), (["*"], []),
            (["None, identity"], []), (["aws-chunked", "gzip"], [.gzip]), (["gzip, utf-8"], [.gzip]),
            (["deflate, none, x-gzip"], [.deflate, .gzip]),
        ] as [([String], [ContentCoding])]
    )
    func none(values: [String], codings: [ContentCoding]) throws {
        #expect(try ContentCoding.list(values) == nil)
        #expect(try ContentCoding.list(values, skippingUnknown: true) == codings)
        #expect(ContentCoding.isCoded(values) == !codings.isEmpty)
        #expect(ContentCoding.unsupported(in: values, accepting: []) != nil)
        #expect(ContentCoding.unsupported(in: values, accepting: [], skippingUnknown: true) == nil)
    }

    @Test(
        "an unsupported content coding and a damaged name are not skipped",
        arguments: ["xz", "compress", "none, xz", "gzip;q=1", "\"none\"", "gzip deflate", "utf-8;"]
    )
    func notSkipped(value: String) throws {
        #expect(try ContentCoding.list([value], skippingUnknown: true) == nil)
        #expect(ContentCoding.unsupported(in: [value], accepting: ["gzip"], skippingUnknown: true) != "none")
        #expect(ContentCoding.unsupported(in: [value], accepting: ["gzip"], skippingUnknown: true) != nil)
    }

    @Test("more than five content codings are refused", arguments: [6, 7, 1_000])
    func tooMany(count: Int) {
        let names = Array(repeating: "gzip", count: count)
        #expect(throws: ContentDecodingError.tooManyCodings) { try ContentCoding.list(names) }
        #expect(throws: ContentDecodingError.tooManyCodings) {
            try ContentCoding.list([names.joined(separator: ",")])
        }
    }
}
