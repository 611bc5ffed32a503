#if NIO && !canImport(Darwin)
import Foundation
import MoyaHTTP

extension PeerCheck {
    /// Sends POSTs that the server counts by their IDs.
    private static func postOnce(
        _ client: PeerClient,
        _ count: Int,
        concurrency: Int,
        at server: String,
        path: String = "/once",
        prefix: String
    ) async throws -> Tally {
        try await client.tally(count, concurrency: concurrency) { number in
            try await client.send(
                "POST",
                "\(path)?id=\(prefix)\(number)",
                at: server,
                body: .data(Data("body".utf8))
            )
        }
    }

    /// Throws if the server received a request twice, or fewer than this many.
    private static func expectNoDuplicates(
        _ client: PeerClient,
        prefix: String,
        atLeast count: Int
    ) async throws -> String {
        let response = try await client.send("GET", "/duplicates?prefix=\(prefix)", expecting: 200)
        let text = String(decoding: response.data, as: UTF8.self)
        let numbers = text.split(separator: " ").compactMap { Int($0) }
        try expect(numbers.count == 2 && numbers[1] == 0, "\(text): requests received, and twice")
        try expect(numbers[0] >= count, "\(numbers[0]) of \(count) requests received")
        return "none twice"
    }

    private static func newPrefix() -> String { "\(UInt32.random(in: .min ... .max))-" }

    static let nginx: [PeerCheck] =
        [64, 20].flatMap { concurrency in
            [
                PeerCheck("keepalive_requests 3, GET, \(concurrency) at once", peers: [.nginx]) { client in
                    try await client.tally(1_000, concurrency: concurrency) { _ in
                        try await client.send("GET", "/ok", at: "short")
                    }
                    .expectOnly("200", of: 1_000)
                },
                PeerCheck("keepalive_requests 3, POST, \(concurrency) at once", peers: [.nginx]) { client in
                    let prefix = newPrefix()
                    let tally = try await postOnce(
                        client,
                        1_000,
                        concurrency: concurrency,
                        at: "short",
                        prefix: prefix
                    )
                    let duplicates = try await expectNoDuplicates(client, prefix: prefix, atLeast: tally["200"])
                    return try tally.expectOnly("200", of: 1_000) + ", " + duplicates
                },
            ]
        }
        + [
            PeerCheck("keepalive_timeout 1s", peers: [.nginx]) { client in
                let prefix = newPrefix()
                let gets = Tally()
                let posts = Tally()
                for round in 0..<8 {
                    // The pause ends around the time at which the server closes the connections.
                    if round > 0 { try await Task.sleep(for: .milliseconds(985 + 5 * round)) }
                    _ = try await client.tally(16, concurrency: 16, into: gets) { _ in
                        try await client.send("GET", "/ok", at: "impatient")
                    }
                    _ = try await client.tally(16, concurrency: 16, into: posts) { number in
                        try await client.send("POST", "/once?id=\(prefix)\(round)-\(number)", at: "impatient")
                    }
                }
                let duplicates = try await expectNoDuplicates(client, prefix: prefix, atLeast: posts["200"])
                // HTTP/1.1 cannot report an unprocessed POST, so one may fail on a connection that closes.
                try expect(client.version == .http1 || posts["200"] == posts.total, "POST: \(posts.text)")
                return try gets.expectOnly("200", of: gets.total) + "; POST: \(posts.text), " + duplicates
            },
            PeerCheck("reloads with 256 at once", peers: [.nginx]) { client in
                guard let process = client.address.reloadedProcess else {
                    throw CheckFailure("no process to reload")
                }
                let prefix = newPrefix()
                let gets = Tally()
                let posts = Tally()
                let isOver = Tally()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for _ in 0..<5 {
                            try await Task.sleep(for: .milliseconds(700))
                            kill(process, SIGHUP)
                        }
                        try await Task.sleep(for: .milliseconds(700))
                        isOver.add("over")
                    }
                    for worker in 0..<256 {
                        group.addTask {
                            var number = 0
                            while isOver["over"] == 0 {
                                number += 1
                                let isGet = number.isMultiple(of: 2)
                                do {
                                    let path = isGet ? "/slow" : "/once?id=\(prefix)\(worker)-\(number)"
                                    let status = try await client.send(isGet ? "GET" : "POST", path).statusCode
                                    (isGet ? gets : posts).add("\(status)")
                                } catch {
                                    (isGet ? gets : posts).add(error.summary)
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                let duplicates = try await expectNoDuplicates(client, prefix: prefix, atLeast: posts["200"])
                let text = "GET: \(gets.text); POST: \(posts.text), \(duplicates)"
                try expect(gets["200"] == gets.total, text)
                try expect(client.version == .http1 || posts["200"] == posts.total, text)
                return text
            },
            PeerCheck("limit_req with 600 POSTs at once", peers: [.nginx]) { client in
                try await postOnce(client, 600, concurrency: 600, at: "main", path: "/limited", prefix: newPrefix())
                    .expectOnly("200", "503", of: 600)
            },
            PeerCheck("limit_req with 600 POSTs of 100 KiB at once", peers: [.nginx]) { client in
                let data = PatternBytes.data(100 << 10)
                let tally = try await client.tally(600, concurrency: 600) { number in
                    try await client.send("POST", "/limited?id=\(number)", body: .data(data))
                }
                guard client.version == .http2 else { return try tally.expectOnly("200", "503", of: 600) }
                // nginx treats 8 MiB of refused bodies as a flood and closes the connection. Its requests in
                // progress are lost then: some for each connection (with curl 7.88, 40 % of all).
                try expect(tally["200"] + tally["503"] >= 570 && tally.total == 600, tally.text)
                return tally.text
            },
            PeerCheck("http2_max_concurrent_streams 4", peers: [.nginx], versions: [.http2]) { client in
                try await client.tally(200, concurrency: 100) { _ in
                    try await client.send("GET", "/slow", at: "narrow")
                }
                .expectOnly("200", of: 200)
            },
        ]
}
#endif
