#if NIO && !canImport(Darwin)
import Foundation
import MoyaHTTP

extension PeerCheck {
    private static let largeHead = Dictionary(
        uniqueKeysWithValues: (0..<30).map { ("X-Large-\($0)", String(repeating: "x", count: 1_024)) }
    )

    static let responses: [PeerCheck] = [
        PeerCheck("trailers", peers: [.go, .hypercorn], except: (.hypercorn, .http1)) { client in
            let response = try await client.send("GET", "/trailers", headers: ["TE": "trailers"], expecting: 200)
            try expect(response.data == Data("trailers follow".utf8), "\(response.data.count) bytes")
            return ""
        },
        PeerCheck("trailers after a file", peers: [.nghttpd]) { client in
            let response = try await client.send("GET", "/ok", headers: ["TE": "trailers"], expecting: 200)
            try expect(response.data == Data("ok".utf8), "\(response.data.count) bytes")
            return ""
        },
        // The proxy of nginx has no interim responses, and neither has hypercorn over HTTP/1.1.
        PeerCheck(
            "103 three times, then 200, collected",
            peers: [.go, .hypercorn],
            except: (.hypercorn, .http1)
        ) { client in
            let response = try await client.send("GET", "/hints", expecting: 200)
            try expect(response.data == Data("hints came first".utf8), "\(response.data.count) bytes")
            return ""
        },
        PeerCheck(
            "103 three times, then 200, streamed",
            peers: [.go, .hypercorn],
            except: (.hypercorn, .http1)
        ) { client in
            let (response, body) = try await client.session.stream(for: client.request("GET", "/hints"))
            try expect(response.statusCode == 200, "status \(response.statusCode)")
            var data = Data()
            for try await piece in body { data.append(piece) }
            try expect(data == Data("hints came first".utf8), "\(data.count) bytes")
            return ""
        },
        PeerCheck("HEAD", peers: Set(Peer.allCases)) { client in
            let response = try await client.send("HEAD", "/bytes/10485760", expecting: 200)
            try expect(response.data.isEmpty, "\(response.data.count) bytes")
            try expect(response.headers[.contentLength] == "10485760", "\(response.headers)")
            try await client.send("GET", "/ok", expecting: 200)
            return ""
        },
        PeerCheck("404", peers: Set(Peer.allCases)) { client in
            try await client.send("GET", "/none", expecting: 404)
            return ""
        },
        PeerCheck("204, 304 and 200 by turns") { client in
            for status in [204, 304, 200, 204, 200, 304] {
                let response = try await client.send("GET", "/status/\(status)", expecting: status)
                try expect(response.data.isEmpty, "\(status) has \(response.data.count) bytes")
            }
            return ""
        },
        PeerCheck("gzip") { client in
            let response = try await client.send("GET", "/gzip", expecting: 200)
            try expect(response.data == PatternBytes.data(100_000), "\(response.data.count) bytes")
            return ""
        },
        PeerCheck("response head of 30 KiB, 10 at once, then 200") { client in
            let text = try await client.tally(20, concurrency: 10) { _ in
                let response = try await client.send("GET", "/large-head", expecting: 200)
                let size = response.headers.filter { $0.name.canonicalName.hasPrefix("x-large-") }
                    .reduce(0) { $0 + $1.value.utf8.count }
                try expect(size == 30 * 1_024, "\(size) bytes in headers")
                return response
            }
            .expectOnly("200", of: 20)
            try await client.send("GET", "/ok", expecting: 200)
            return text
        },
        PeerCheck("request head of 30 KiB, then 200") { client in
            for _ in 0..<3 {
                let response = try await client.send("GET", "/head-size", headers: largeHead, expecting: 200)
                try expect(response.data == Data("30720".utf8), String(decoding: response.data, as: UTF8.self))
            }
            try await client.send("GET", "/ok", expecting: 200)
            return ""
        },
    ]

    static let faults: [PeerCheck] = [
        PeerCheck("reset before the response, then 200", peers: [.go]) { client in
            for _ in 0..<5 {
                let response = try? await client.send("GET", "/reset")
                try expect(response == nil, "a response of status \(response?.statusCode ?? 0)")
            }
            try await client.send("GET", "/ok", expecting: 200)
            return ""
        },
        PeerCheck("reset in the middle of the response, then 200") { client in
            for _ in 0..<5 {
                let response = try? await client.send("GET", "/reset-middle")
                try expect(response == nil, "a response of \(response?.data.count ?? 0) bytes")
            }
            try await client.send("GET", "/ok", expecting: 200)
            return ""
        },
        PeerCheck("resets of other streams do no harm") { client in
            let resets = Tally()
            let others = Tally()
            try await forEach(below: 300, concurrency: 60) { number in
                let isReset = number.isMultiple(of: 3)
                let outcome: String
                do {
                    outcome = "\(try await client.send("GET", isReset ? "/reset-middle" : "/slow").statusCode)"
                } catch {
                    outcome = error.summary
                }
                (isReset ? resets : others).add(isReset && outcome != "200" ? "failed" : outcome)
            }
            _ = try resets.expectOnly("failed", of: 100)
            return try others.expectOnly("200", of: 200)
        },
        PeerCheck("300 cancelled, then 100 times 200") { client in
            let tally = Tally()
            try await forEach(below: 300, concurrency: 100) { number in
                let task = Task { try await client.send("GET", "/slow").statusCode }
                try await Task.sleep(for: .milliseconds(number % 60))
                task.cancel()
                switch await task.result {
                case .success(let status): tally.add("\(status)")
                case .failure(let error):
                    tally.add((error as? URLError)?.code == .cancelled ? "cancelled" : error.summary)
                }
            }
            _ = try tally.expectOnly("cancelled", "200", of: 300)
            _ = try await client.tally(100, concurrency: 50) { _ in try await client.send("GET", "/slow") }
                .expectOnly("200", of: 100)
            return tally.text
        },
    ]
}
#endif
