import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP
@testable import MoyaURLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLSession decodes its content codings")
struct URLSessionCodingsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let values: [String]
        /// Whether URLSession on Apple's platforms has decoded the body of a request with `Accept-Encoding`, and of one without.
        let darwin: (set: Bool, unset: Bool)
        let corelibs: Bool

        var testDescription: String { "\(values)" }

        init(_ values: String..., darwin: (Bool, Bool), corelibs: Bool) {
            (self.values, self.darwin, self.corelibs) = (values, darwin, corelibs)
        }
    }

    static let rows = [
        Row(darwin: (true, true), corelibs: true),
        Row("", darwin: (true, true), corelibs: true),
        Row("identity", darwin: (true, true), corelibs: true),
        Row("gzip", darwin: (true, true), corelibs: true),
        Row("X-GZIP", darwin: (true, true), corelibs: true),
        Row("deflate", darwin: (true, true), corelibs: true),
        Row("br", darwin: (true, true), corelibs: true),
        // Newer systems request zstd, and decode it only then.
        Row("zstd", darwin: (false, true), corelibs: true),
        Row("deflate, gzip", darwin: (true, true), corelibs: true),
        Row("deflate", " gzip , ", darwin: (true, true), corelibs: true),
        Row("gzip, xz", darwin: (false, false), corelibs: false),
        Row("compress", darwin: (false, false), corelibs: false),
        Row("aws-chunked", darwin: (false, false), corelibs: false),
        Row("gzip;q=1", darwin: (false, false), corelibs: false),
    ]

    @Test("a body counts as decoded by URLSession only if all its codings are supported", arguments: rows)
    func decoded(_ row: Row) {
        let darwin = URLSessionCodings(.darwin)
        #expect(darwin.decode(row.values, acceptEncoding: "gzip") == row.darwin.set)
        #expect(darwin.decode(row.values, acceptEncoding: nil) == row.darwin.unset)
        let corelibs = URLSessionCodings(.corelibs)
        #expect(corelibs.decode(row.values, acceptEncoding: "gzip") == row.corelibs)
        #expect(corelibs.decode(row.values, acceptEncoding: nil) == row.corelibs)
    }

    @Test("URLSession's codings replace the session's default Accept-Encoding, and a value of the application stays")
    func accepted() {
        let standard = HTTPHeader.defaultAcceptEncoding.value
        #expect(URLSessionCodings(.darwin).acceptEncoding(for: standard) == nil)
        #expect(URLSessionCodings(.corelibs).acceptEncoding(for: standard) == "gzip, deflate")
        for implementation in URLSessionImplementation.allCases {
            for value in ["gzip", "identity", "br;q=0.5, *;q=0"] {
                #expect(URLSessionCodings(implementation).acceptEncoding(for: value) == value)
            }
        }
    }

    /// Responds to each request with a body in this coding, which URLSession does not decode here.
    private final class CodedProtocol: URLProtocol {
        override static func canInit(with request: URLRequest) -> Bool { true }

        override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            guard let url = request.url, let coding = url.host,
                let response = HTTPURLResponse(
                    url: url,
                    statusCode: 200,
                    httpVersion: "HTTP/1.1",
                    headerFields: ["Content-Encoding": coding]
                )
            else { return }
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: Data("coded".utf8))
            client?.urlProtocolDidFinishLoading(self)
        }

        override func stopLoading() {}
    }

    @Test("a coding that URLSession does not support is an error unless the request accepts it")
    func unknown() async throws {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [CodedProtocol.self]
        let transport = URLSessionTransport(configuration: configuration)
        let session = Session(transport: transport)
        var request = URLRequest(url: try #require(URL(string: "http://xz/")))
        let plain = request
        let error = await #expect(throws: URLError.self) { try await session.data(for: plain) }
        #expect(error?.code == .cannotDecodeContentData)
        #expect(error?.userInfo[NSUnderlyingErrorKey] as? ContentDecodingError == .unsupported("xz"))
        request.setValue("xz", forHTTPHeaderField: "Accept-Encoding")
        #expect(try await session.data(for: request).data == Data("coded".utf8))
        // A name that is not a coding does not describe the body.
        request.url = URL(string: "http://none/")
        #expect(try await session.data(for: request).data == Data("coded".utf8))
        await transport.shutdown()
    }
}
