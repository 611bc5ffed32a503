import ArgumentParser
import Foundation
import Moya
import MoyaHAR
import Testing

@testable import moya_cli

@Suite("moya-cli har shows a recording")
struct HARCommandTests {
    private func lines(_ har: HAR, width: Int = 100, arguments: [String] = []) async throws -> [String] {
        try await TemporaryFolder.use { folder in
            let file = folder.appendingPathComponent("a.har")
            try har.write(to: file)
            let command = try #require(try MoyaCLI.parseAsRoot(["har", file.path] + arguments) as? HARCommand)
            let lines = Locked<[String]>([])
            try command.run(width: width) { line in lines.withLock { $0.append(line) } }
            return lines.withLock { $0 }
        }
    }

    private func page(_ har: HAR, arguments: [String] = []) async throws -> String {
        try await TemporaryFolder.use { folder in
            let output = folder.appendingPathComponent("a.html")
            _ = try await lines(har, arguments: ["--html", output.path] + arguments)
            return try String(contentsOf: output, encoding: .utf8)
        }
    }

    @Test("moya-cli har prints a table, a waterfall and totals")
    func table() async throws {
        #expect(
            try await lines(.waterfall, width: 80).joined(separator: "\n") == """
                http://h
                 # Method  Status      Size     Time URL                    Waterfall
                 1 GET     200         10 B    25 ms /first?a=1             ·------#
                 2 POST    404      2.0 KiB    50 ms /second                    ---#############
                 3 GET     failed             2.5 ms /                                         -

                3 exchanges, 2 of them failed:
                1 × 200, 1 × 404, 1 × failed
                7 B sent, 2.0 KiB received, in 63 ms
                The slowest is 2, 50 ms: http://h/second
                """
        )
    }

    @Test("the page of moya-cli har has the messages of a WebSocket, with secrets masked")
    func webSocket() async throws {
        var har = HAR.waterfall
        let start = har.entries[0].startedDateTime
        har.entries[0].webSocketMessages = [
            HAR.WebSocketMessage(sender: .client, time: start + 0.25, opcode: 1, data: #"{"password":"secret"}"#),
            HAR.WebSocketMessage(sender: .server, time: start + 0.5, opcode: 2, data: "AAEC"),
            HAR.WebSocketMessage(sender: .server, time: start + 1, opcode: 8, data: "A+hieWU="),
        ]
        let page = try await page(har)
        #expect(!page.contains("secret"))
        #expect(page.contains("<h2>Messages</h2>"))
        #expect(page.contains("<tr><th>↑ 250 ms</th>"))
        #expect(page.contains("<tr><th>↓ 500 ms</th><td>3 B of binary data</td></tr>"))
        #expect(page.contains("<td>close 1000: bye</td>"))
    }

    @Test("moya-cli har prints no line that is wider than the given width", arguments: [50, 60, 80, 100, 132, 400])
    func width(_ width: Int) async throws {
        var har = HAR.waterfall
        har.entries[0].request.url = "http://h/" + String(repeating: "long/", count: 100)
        har.entries[1].request.url = "http://h/" + String(repeating: "漢字", count: 100)
        for line in try await lines(har, width: width) { #expect(TerminalText(line).width <= width, "\(line)") }
    }

    @Test(
        "moya-cli har removes control characters that move the cursor or hide text",
        arguments: ["\u{1B}[2J", "\r", "\u{9B}31m", "\u{202E}", "\u{7}", "\n"]
    )
    func controls(_ text: String) async throws {
        var har = HAR.waterfall
        har.entries[0].request.method = "G\(text)T"
        har.entries[0].request.url = "http://h\(text)/a\(text)b"
        har.entries[1].request.url = "http://h/\(text)"
        har.entries[1].timings.wait = 1e9
        for line in try await lines(har, arguments: ["--secret", "x"]) {
            #expect(!line.contains(text), "\(line.debugDescription)")
        }
        let page = try await page(har)
        #expect(text == "\n" || !page.contains(text))
    }

    @Test("moya-cli har masks unmasked secrets in the file, including the values of additional names")
    func secrets() async throws {
        var har = HAR.waterfall
        har.entries[0].request.url = "http://user:live@h/?access_token=live&pin=live"
        har.entries[0].request.headers = [
            HAR.Field(name: "Cookie", value: "sid=live"), HAR.Field(name: "Authorization", value: "Bearer live"),
        ]
        har.entries[0].response.content.text = #"{"refresh_token":"live","pin":"live"}"#
        har.entries[0].request.cookies = [HAR.Cookie(name: "sid", value: "live")]
        for text in [
            try await lines(har, width: 400, arguments: ["--secret", "pin"]).joined(),
            try await page(har, arguments: ["--secret", "PIN"]),
        ] {
            #expect(text.contains("***"))
            #expect(!text.contains("live"))
        }
    }

    @Test("moya-cli har writes a page that contains no scripts, external resources or markup from the file")
    func page() async throws {
        var har = HAR.waterfall
        let attack = #"<script>alert(1)</script><img src=x onerror='x' "><style>"#
        har.creator.name = attack
        har.entries[0].request.method = attack
        har.entries[0].request.url = "http://h/\(attack)"
        har.entries[0].request.headers = [HAR.Field(name: attack, value: attack)]
        har.entries[0].request.queryString = [HAR.Field(name: attack, value: attack)]
        har.entries[0].request.postData = HAR.PostData(mimeType: attack, text: attack)
        har.entries[0].response.content.text = attack
        har.entries[0].response.statusText = attack
        har.entries[0].response.error = attack
        har.entries[0].comment = attack
        let page = try await page(har)
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        for part in ["<script", "<img", "<link", "<iframe", "onerror='", "src=", "url(", "@import", "javascript:"] {
            let isText = part == "src="
            #expect(page.contains(part) == isText, "\(part)")
        }
        #expect(page.components(separatedBy: "<style>").count == 2)
        #expect(page.contains("default-src 'none'"))
        #expect(page.contains("prefers-color-scheme: dark"))
    }

    @Test("moya-cli har shows the details of each exchange on a page")
    func details() async throws {
        var har = HAR.waterfall
        har.entries[0].request.headers = [HAR.Field(name: "Accept", value: "text/x")]
        har.entries[0].response.content.text = #"{"a":[1]}"#
        har.entries[1].request.postData = HAR.PostData(mimeType: "text/plain", text: "sent text")
        har.entries[1].response.content = HAR.Content(size: 3, mimeType: "image/png", text: "AAEC", encoding: "base64")
        har.entries[2].response.error = "refused"
        let page = try await page(har)
        for part in [
            "text/x", "{\n  &quot;a&quot;: [\n    1\n  ]\n}", "sent text", "3 B of binary data", "refused",
            "3 exchanges · 2 failed", "<details class=\"failure\">", "http://h",
        ] { #expect(page.contains(part), "\(part)") }
        #expect(page.components(separatedBy: "<details").count == 4)
    }

    @Test("moya-cli har shows forms as fields, and each request as a cURL command, on a page")
    func forms() async throws {
        var har = HAR.waterfall
        har.entries[0].request.headers = [HAR.Field(name: ":path", value: "/x"), HAR.Field(name: "X-A", value: "it's")]
        har.entries[1].request.postData = HAR.PostData(
            mimeType: "application/x-www-form-urlencoded; charset=utf-8",
            text: "name=a+b%26c&empty=&alone&bad=%zz"
        )
        har.entries[1].response.httpVersion = "HTTP/2"
        let page = try await page(har)
        for part in [
            "<h2>Form</h2><table><tr><th>name</th><td>a b&amp;c</td></tr><tr><th>empty</th><td></td></tr>"
                + "<tr><th>alone</th><td></td></tr><tr><th>bad</th><td>%zz</td></tr></table>",
            "<tr><th>HTTP</th><td>HTTP/2</td></tr>", "curl -v \\\n\t-X GET", "X-A: it", "http://h/first?a=1",
        ] { #expect(page.contains(part), "\(part)") }
        #expect(!page.contains("-H &#39;:path") && !page.contains("$ curl"))
        #expect(page.components(separatedBy: "class=\"command\"").count == 4)
    }

    @Test("moya-cli har shows invalid times and sizes", arguments: [-1e300, 1e300, -1, 0, 1e-300])
    func senselessTimes(_ time: Double) async throws {
        var har = HAR.waterfall
        har.entries[0].timings = HAR.Timings(
            blocked: time,
            dns: time,
            connect: time,
            send: time,
            wait: time,
            receive: time,
            ssl: time
        )
        har.entries[0].time = time
        har.entries[0].startedDateTime = Date(timeIntervalSince1970: time)
        har.entries[0].request.bodySize = .max
        har.entries[0].response.content.size = .max
        har.entries[1].response.content.size = .max
        har.entries[1].request.bodySize = .min
        har.entries[2].response.status = .min
        #expect(try await lines(har).count { !$0.hasPrefix("Idle gaps") } == 10)
        #expect(try await page(har).contains("</html>"))
    }

    @Test("moya-cli har shows an empty archive")
    func empty() async throws {
        let lines = try await lines(HAR())
        #expect(lines.contains("0 exchanges, 0 of them failed"))
        #expect(try await page(HAR()).contains("0 exchanges"))
    }

    @Test("moya-cli har throws an error that names a missing file")
    func noFile() throws {
        let command = try HARCommand.parse(["/nowhere/a.har"])
        let error = #expect(throws: HARError.self) { try command.run(width: 80) { _ in } }
        #expect(error?.reason == .missing)
        #expect(HARCommand.message(for: error ?? HARError(.cut)).contains("/nowhere/a.har"))
    }
}

extension HAR {
    /// Three exchanges, some of which overlap.
    fileprivate static let waterfall: HAR = {
        func entry(_ method: String, _ url: String, at time: Double, _ status: Int, _ timings: Timings) -> Entry {
            Entry(
                startedDateTime: Date(timeIntervalSince1970: 1_000 + time),
                time: timings.total,
                request: Request(method: method, url: url),
                response: Response(status: status),
                timings: timings
            )
        }
        var har = HAR(entries: [
            entry("GET", "http://h/first?a=1", at: 0, 200, Timings(blocked: 3, wait: 20, receive: 2)),
            entry("POST", "http://h/second", at: 0.0125, 404, Timings(send: 5, wait: 5, receive: 40)),
            entry("GET", "http://h/", at: 0.06, 0, Timings(wait: 2.5)),
        ])
        har.entries[0].response.content.size = 10
        har.entries[1].response.content.size = 2048
        har.entries[1].request.bodySize = 7
        har.entries[2].response.content.size = -1
        return har
    }()
}
