#if NIO && !canImport(Darwin)
import Foundation
import MoyaHTTP

private let tenMebibytes = 10 << 20

/// Returns a body with these bytes and without a declared length.
private func streamed(_ data: Data) -> HTTPBody {
    let pieces = AsyncStream<Data> { continuation in
        var rest = data
        while !rest.isEmpty {
            continuation.yield(Data(rest.prefix(65_536)))
            rest = rest.dropFirst(65_536)
        }
        continuation.finish()
    }
    return .sequence(pieces)
}

extension PeerCheck {
    static let streams: [PeerCheck] =
        [
            PeerCheck("negotiates the version of HTTP") { client in
                let text = String(decoding: try await client.send("GET", "/ok", expecting: 200).data, as: UTF8.self)
                try expect(text.hasPrefix(client.version.rawValue), text)
                return text
            }
        ]
        + [1, 10, 100, 500].map { count in
            PeerCheck("\(count) at once", peers: Set(Peer.allCases)) { client in
                let path = client.address.peer.concurrentPath
                let total = max(20, 3 * count)
                return try await client.tally(total, concurrency: count) { _ in try await client.send("GET", path) }
                    .expectOnly("200", of: total)
            }
        }

    private static func upload(_ name: String, _ body: @escaping @Sendable () -> (Data, HTTPBody)) -> [PeerCheck] {
        [
            PeerCheck("upload, \(name)") { client in
                let (data, body) = body()
                let response = try await client.send("POST", "/digest", body: body, expecting: 200)
                let text = String(decoding: response.data, as: UTF8.self)
                try expect(text == PatternBytes.digest(data), text)
                return "\(data.count) bytes"
            },
            PeerCheck("upload and echo, \(name)", peers: [.nghttpd]) { client in
                let (data, body) = body()
                let response = try await client.send("POST", "/echo", body: body, expecting: 200)
                try expect(response.data == data, "\(response.data.count) bytes of \(data.count), or others")
                return "\(data.count) bytes"
            },
        ]
    }

    static let uploads: [PeerCheck] =
        upload("small") { (PatternBytes.data(100), .data(PatternBytes.data(100))) }
        + upload("10 MiB") { (PatternBytes.data(tenMebibytes), .data(PatternBytes.data(tenMebibytes))) }
        + upload("10 MiB without length") {
            (PatternBytes.data(tenMebibytes), streamed(PatternBytes.data(tenMebibytes)))
        }
        + [
            PeerCheck("64 uploads of 256 KiB at once") { client in
                let data = PatternBytes.data(256 << 10)
                let digest = PatternBytes.digest(data)
                return try await client.tally(64, concurrency: 64) { number in
                    let body = number.isMultiple(of: 2) ? HTTPBody.data(data) : streamed(data)
                    let response = try await client.send("POST", "/digest", body: body, expecting: 200)
                    try expect(String(decoding: response.data, as: UTF8.self) == digest, "another digest")
                    return response
                }
                .expectOnly("200", of: 64)
            },
            PeerCheck("upload that expects 100 Continue") { client in
                let data = PatternBytes.data(200_000)
                let response = try await client.send(
                    "POST",
                    "/digest",
                    headers: ["Expect": "100-continue"],
                    body: .data(data),
                    expecting: 200
                )
                try expect(String(decoding: response.data, as: UTF8.self) == PatternBytes.digest(data), "digest")
                return ""
            },
        ]
        + [413, 401].flatMap { status in
            [
                PeerCheck("\(status) while 10 MiB are sent") { client in
                    let body = HTTPBody.data(PatternBytes.data(tenMebibytes))
                    try await client.send("POST", "/early/\(status)", body: body, expecting: status)
                    return ""
                },
                // hypercorn closes an HTTP/2 connection on which it receives a body that it does not need any more.
                PeerCheck(
                    "\(status) 300 times while 256 KiB are sent, then 200",
                    except: (.hypercorn, .http2)
                ) { client in
                    let data = PatternBytes.data(256 << 10)
                    let text = try await client.tally(300, concurrency: 16) { _ in
                        try await client.send("POST", "/early/\(status)", body: .data(data))
                    }
                    .expectOnly("\(status)", of: 300)
                    try await client.send("GET", "/ok", expecting: 200)
                    return text
                },
            ]
        }

    static let downloads: [PeerCheck] = [
        PeerCheck("download of 10 MiB", peers: Set(Peer.allCases)) { client in
            let response = try await client.send("GET", "/bytes/\(tenMebibytes)", expecting: 200)
            try expect(response.data == PatternBytes.data(tenMebibytes), "\(response.data.count) bytes, or others")
            return ""
        },
        PeerCheck("download of 10 MiB by a slow reader", peers: Set(Peer.allCases)) { client in
            let (response, body) = try await client.session.stream(
                for: client.request("GET", "/bytes/\(tenMebibytes)")
            )
            try expect(response.statusCode == 200, "status \(response.statusCode)")
            var data = Data()
            var isFirst = true
            for try await piece in body {
                // The first pause is long enough to fill all windows and buffers; short ones follow at intervals.
                if isFirst { try await Task.sleep(for: .milliseconds(500)) }
                isFirst = false
                if data.count / 500_000 != (data.count + piece.count) / 500_000 {
                    try await Task.sleep(for: .milliseconds(20))
                }
                data.append(piece)
            }
            try expect(data == PatternBytes.data(tenMebibytes), "\(data.count) bytes, or others")
            return ""
        },
        PeerCheck("download left in the middle, 20 times, then 200", peers: Set(Peer.allCases)) { client in
            for _ in 0..<20 {
                let (_, body) = try await client.session.stream(
                    for: client.request("GET", "/bytes/\(tenMebibytes)")
                )
                for try await _ in body { break }
            }
            try await client.send("GET", "/ok", expecting: 200)
            return ""
        },
    ]
}
#endif
