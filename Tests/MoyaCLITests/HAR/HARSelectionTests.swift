import ArgumentParser
import Foundation
import Moya
import MoyaHAR
import Testing

@testable import moya_cli

@Suite("moya-cli har selects and sorts exchanges")
struct HARSelectionTests {
    private static func entry(_ method: String, _ url: String, at time: Double, _ status: Int, _ wait: Double)
        -> HAR.Entry
    {
        HAR.Entry(
            startedDateTime: Date(timeIntervalSince1970: 1_000 + time),
            request: HAR.Request(method: method, url: url),
            response: HAR.Response(status: status),
            timings: HAR.Timings(wait: wait)
        )
    }

    /// Six exchanges that are not in chronological order.
    private static let har: HAR = {
        var har = HAR(entries: [
            entry("POST", "https://api.test/users", at: 0.3, 201, 50),
            entry("GET", "https://api.test/users?page=2", at: 0, 200, 20),
            entry("GET", "https://cdn.test/a.png", at: 0.1, 404, 30),
            entry("DELETE", "https://api.test/users/1", at: 0.2, 500, 10),
            entry("GET", "https://api.test/slow", at: 0.4, 0, 5),
            entry("GET", "https://api.test/gone", at: 0.5, 0, 5),
        ])
        har.entries[0].request.postData = HAR.PostData(mimeType: "application/json", text: #"{"name":"Zoë"}"#)
        har.entries[0].response.httpVersion = "HTTP/2"
        har.entries[1].response.httpVersion = "http/1.1"
        har.entries[1].response.content = HAR.Content(size: 900, mimeType: "text/plain", text: "NEEDLE")
        har.entries[2].response.content.size = 5_000
        har.entries[2].response.httpVersion = "h3"
        har.entries[3].request.headers = [HAR.Field(name: "X-Needle", value: "v")]
        har.entries[3].request.httpVersion = "HTTP/2.0"
        har.entries[4].response.error = "net::ERR_ABORTED"
        har.entries[5].response.error = "refused"
        return har
    }()

    private func lines(_ har: HAR = har, _ arguments: [String] = [], width: Int = 100) async throws -> [String] {
        try await TemporaryFolder.use { folder in
            let file = folder.appendingPathComponent("a.har")
            try har.write(to: file)
            let command = try #require(try MoyaCLI.parseAsRoot(["har", file.path] + arguments) as? HARCommand)
            let lines = Locked<[String]>([])
            try command.run(width: width) { line in lines.withLock { $0.append(line) } }
            return lines.withLock { $0 }
        }
    }

    /// The numbers of the shown rows in order.
    private func numbers(_ arguments: [String]) async throws -> [Int] {
        try await lines(Self.har, arguments).compactMap { line in
            line.firstMatch(of: #/^ *([0-9]+) [A-Z]{3,} /#).flatMap { Int($0.1) }
        }
    }

    @Test(
        "moya-cli har sorts exchanges",
        arguments: [
            ([], [1, 2, 3, 4, 5, 6]), (["--reverse"], [6, 5, 4, 3, 2, 1]), (["--sort", "start"], [2, 3, 4, 1, 5, 6]),
            (["--sort", "time"], [1, 3, 2, 4, 5, 6]), (["--sort", "size"], [3, 2, 1, 4, 5, 6]),
            (["--sort", "status"], [5, 6, 2, 1, 3, 4]), (["--sort", "method"], [4, 2, 3, 5, 6, 1]),
            (["--sort", "url"], [6, 5, 1, 4, 2, 3]), (["--sort", "start", "--reverse"], [6, 5, 1, 4, 3, 2]),
        ] as [([String], [Int])]
    )
    func sorted(_ arguments: [String], _ order: [Int]) async throws {
        #expect(try await numbers(arguments) == order)
    }

    @Test(
        "moya-cli har selects exchanges by several combined conditions",
        arguments: [
            (["--status", "404"], [3]), (["--status", "2xx"], [1, 2]),
            (["--status", "4xx", "--status", "500"], [3, 4]),
            (["--status", "failed"], [3, 4, 6]), (["--status", "cancelled"], [5]),
            (["--method", "get"], [2, 3, 5, 6]),
            (["--method", "POST", "--method", "DELETE"], [1, 4]), (["--host", "CDN"], [3]), (["--host", "users"], []),
            (["--slower", "30"], [1, 3]), (["--search", "needle"], [2, 4]), (["--search", "zoë"], [1]),
            (["--search", "PAGE=2"], [2]), (["--search", "refused"], [6]), (["--search", "nowhere"], []),
            (["--search", "needle", "--method", "GET", "--status", "2xx"], [2]),
        ] as [([String], [Int])]
    )
    func selected(_ arguments: [String], _ shown: [Int]) async throws {
        #expect(try await numbers(arguments) == shown)
        let count = try await lines(Self.har, arguments).first { $0.contains("exchanges") }
        #expect(count?.hasPrefix("\(shown.count) of 6 exchanges") == true)
    }

    @Test(
        "an invalid status, order or time of moya-cli har is an argument error",
        arguments: [
            ["--status", "x"], ["--status", "99"], ["--status", "0xx"], ["--sort", "color"], ["--slower", "x"],
        ]
    )
    func refused(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try MoyaCLI.parseAsRoot(["har", "a.har"] + arguments) }
    }

    @Test("a search of moya-cli har does not find a secret, because the secret is masked first")
    func searchedSecret() async throws {
        var har = Self.har
        har.entries[0].request.headers = [HAR.Field(name: "Authorization", value: "Bearer livetoken")]
        #expect(try await lines(har, ["--search", "livetoken"]).contains { $0.hasPrefix("0 of 6 exchanges") })
    }

    @Test("moya-cli har shows the HTTP version, whatever its notation in the file")
    func versions() async throws {
        let lines = try await lines()
        #expect(lines.first { $0.contains("Method") }?.contains(" HTTP ") == true)
        let versions = lines.compactMap {
            $0.firstMatch(of: #/^ *[0-9]+ [A-Z]{3,} +\w+ +([0-9.]+) +[0-9]/#).map { String($0.1) }
        }
        #expect(versions == ["2", "1.1", "3", "2"])
        var unknown = Self.har
        for index in unknown.entries.indices {
            unknown.entries[index].response.httpVersion = "unknown"
            unknown.entries[index].request.httpVersion = ""
        }
        #expect(try await self.lines(unknown).first { $0.contains("Method") }?.contains("HTTP") == false)
        #expect(try await self.lines(width: 60).first { $0.contains("Method") }?.contains("HTTP") == false)
    }

    @Test("a cancelled exchange in a recording does not count as failed, whichever program recorded it")
    func cancelled() async throws {
        var har = HAR(entries: (0..<5).map { Self.entry("GET", "http://h/\($0)", at: Double($0), 0, 1) })
        har.entries[0].response.errorCode = URLError.Code.cancelled.rawValue
        har.entries[1].response.error = "net::ERR_ABORTED"
        har.entries[2].response.error = "NS_BINDING_ABORTED"
        har.entries[3].response.error = "net::ERR_CONNECTION_REFUSED"
        har.entries[4].response = HAR.Response(status: 404)
        har.entries[4].response.errorCode = URLError.Code.cancelled.rawValue
        let lines = try await lines(har)
        #expect(lines.contains("5 exchanges, 2 of them failed, 3 cancelled:"))
        #expect(lines.contains("1 × 404, 3 × cancelled, 1 × failed"))
        #expect(lines.count { $0.contains(" cancelled ") } == 3)
    }

    @Test("short exchanges that are far apart have visible bars in the waterfall, in the order of their starts")
    func gaps() async throws {
        // The three exchanges take a second each, and are an hour apart.
        let har = HAR(entries: (0..<3).map { Self.entry("GET", "http://h/\($0)", at: Double($0) * 3_600, 200, 1_000) })
        let lines = try await lines(har, width: 120)
        let bars = lines.filter { $0.contains("/") && $0.contains("200") && $0.contains("-") }
        let starts = bars.map { line in
            line.distance(from: line.startIndex, to: line.firstIndex(of: "-") ?? line.endIndex)
        }
        #expect(bars.count == 3 && starts == starts.sorted() && Set(starts).count == 3)
        #expect(bars.allSatisfy { $0.count { $0 == "-" } >= 7 }, "\(lines)")
        #expect(lines.contains("Idle gaps are shortened in the waterfall."))
    }

    @Test(
        "positions in the waterfall increase with time, busy times keep their proportions, and gaps are at most a fifth of the width",
        arguments: [
            [0.0...10], [0...10, 5...20, 30...31], [0...1, 1_000_000...1_000_001], [0...0, 5...5, 100...100],
            [7...7], [], [3...5, 0...10, 1e11...1e11 + 10],
        ] as [[ClosedRange<Double>]]
    )
    func scale(_ exchanges: [ClosedRange<Double>]) {
        let scale = HARTimeScale(exchanges)
        let times = exchanges.flatMap { [$0.lowerBound, $0.upperBound] }.sorted()
        let positions = times.map(scale.position)
        #expect(positions == positions.sorted())
        #expect(positions.allSatisfy { (0...1).contains($0) })
        for exchange in exchanges {
            let width = scale.position(of: exchange.upperBound) - scale.position(of: exchange.lowerBound)
            #expect(abs(width - (exchange.upperBound - exchange.lowerBound) * scale.rate) < 1e-3)
        }
        if let last = times.last, last > times[0] { #expect(abs(scale.position(of: last) - 1) < 1e-6) }
    }

    @Test("the error of moya-cli har for a text file does not call the file incomplete")
    func textFile() async throws {
        try await TemporaryFolder.use { folder in
            let file = folder.appendingPathComponent("notes.har")
            for text in ["it's 5\" long", "[1] see {", "{\"log\": 1\n# a \"comment", "<html>\"</html>"] {
                try Data(text.utf8).write(to: file)
                let command = try HARCommand.parse([file.path])
                let error = #expect(throws: HARError.self) { try command.run(width: 80) { _ in } }
                #expect(error?.reason != .cut, "\(text)")
                #expect(error?.localizedDescription.contains("incomplete") == false)
            }
        }
    }
}
