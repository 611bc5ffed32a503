#if NIO && !canImport(Darwin)
import Foundation
import MoyaHTTP

extension PeerCheck {
    /// The checks of trailers after a request, and of both directions at once.
    static let exchanges: [PeerCheck] = [
        // Over HTTP/2, Go drops trailers that Trailer does not name.
        PeerCheck("trailers of a request", peers: [.go]) { client in
            guard let name = HTTPField.Name("X-Checksum") else { throw CheckFailure("no name") }
            for data in [Data(), Data("text".utf8), PatternBytes.data(10 << 20)] {
                let digest = PatternBytes.digest(data)
                let body = HTTPBody.data(data).withTrailers([name]) { [name: digest] }
                let response = try await client.send("POST", "/request-trailers", body: body, expecting: 200)
                let text = String(decoding: response.data, as: UTF8.self)
                try expect(text == digest, text)
            }
            return ""
        },
        // Over HTTP/1.1, Go reads the whole request before it responds.
        PeerCheck("request and response in turns", peers: [.go], versions: [.http2]) { client in
            let (pieces, input) = AsyncStream<Data>.makeStream()
            let request = try client.request("POST", "/turns")
            let (response, body) = try await client.session.stream(for: request, body: .sequence(pieces))
            try expect(response.statusCode == 200, "status \(response.statusCode)")
            var reader = body.makeAsyncIterator()
            for number in 0..<1_000 {
                let piece = Data([UInt8(number % 251)])
                input.yield(piece)
                let returned = try await reader.next()
                try expect(returned == piece, "piece \(number)")
            }
            input.finish()
            let end = try await reader.next()
            try expect(end == nil, "bytes after the end")
            return ""
        },
    ]
}
#endif
