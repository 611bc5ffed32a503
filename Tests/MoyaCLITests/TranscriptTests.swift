import Foundation
import Moya
import Testing

@testable import moya_cli

@Suite("The transcript shows requests and responses")
struct TranscriptTests {
    @Test(
        "a transcript has colors only on a terminal, and only if they are not disabled",
        arguments: [
            (true, [:], true),
            (false, [:], false),
            (true, ["NO_COLOR": "1"], false),
            (true, ["NO_COLOR": ""], true),
            (true, ["TERM": "dumb"], false),
            (true, ["TERM": "xterm"], true),
        ] as [(Bool, [String: String], Bool)]
    )
    func colors(isTerminal: Bool, environment: [String: String], isColored: Bool) {
        #expect(TextStyle(isTerminal: isTerminal, environment: environment).isColored == isColored)
    }

    @Test("text in a transcript without colors is unchanged")
    func plainStyle() {
        #expect(TextStyle.plain.red("text") == "text")
        #expect(TextStyle(isColored: true).red("text") == "\u{1B}[31mtext\u{1B}[0m")
    }

    @Test(
        "a long text in a transcript is wrapped at spaces, before the dot of a call, or anywhere in a long word",
        arguments: [
            ("", [""]), ("short", ["short"]),
            (String(repeating: "a", count: 76), [String(repeating: "a", count: 76)]),
            (String(repeating: "a", count: 77), [String(repeating: "a", count: 76), "        a"]),
            (
                String(repeating: "a", count: 70) + " bcdef g",
                [String(repeating: "a", count: 70) + " bcdef", "        g"]
            ),
            (
                String(repeating: "a", count: 70) + "(1).map(2)",
                [String(repeating: "a", count: 70) + "(1)", "        .map(2)"]
            ),
            (String(repeating: "漢", count: 39), [String(repeating: "漢", count: 38), "        漢"]),
        ] as [(String, [String])]
    )
    func wrapped(_ text: String, _ lines: [String]) {
        #expect(WrappedText(text, start: 4, indentation: 8).lines == lines)
    }

    @Test("a transcript shows a request with its query, headers and body, and with masked credentials")
    func request() throws {
        var request = URLRequest(url: try #require(URL(string: "http://127.0.0.1/v3/a%20b?x=1%262")))
        request.httpMethod = "POST"
        request.allHTTPHeaderFields = ["X-Name": "value", "Authorization": "Bearer secret", "Cookie": "secret"]
        request.httpBody = Data("one\ntwo".utf8)
        let text = RequestText(request)
        #expect(text.line == "POST /v3/a%20b?x=1%262")
        #expect(text.details == ["Authorization: Bearer ***", "Cookie: ***", "X-Name: value", "one two"])
    }

    @Test(
        "a transcript shows a body in one short line",
        arguments: [
            (Data(), ""),
            (Data(String(repeating: "a", count: 200).utf8), String(repeating: "a", count: 200)),
            (Data(String(repeating: "a", count: 201).utf8), String(repeating: "a", count: 200) + "…"),
            (Data([0xFF, 0xFE]), "(2 bytes)"),
        ]
    )
    func body(_ data: Data, isShownAs text: String) {
        #expect(BodyText(data).description == text)
    }

    @Test(
        "a transcript shows a response with its status and length",
        arguments: [(200, 0, "200 OK  0 bytes"), (404, 1, "404 Not Found  1 byte"), (799, 2, "799  2 bytes")]
    )
    func answer(_ status: Int, _ count: Int, isShownAs line: String) {
        let response = Response(statusCode: status, data: Data(repeating: 0, count: count))
        #expect(ResultText(.success(response)).line == line)
        #expect(ResultText(.failure(.statusCode(response))).line == line)
    }

    @Test("a transcript shows that a response is missing")
    func noAnswer() {
        #expect(ResultText(.failure(.underlying(URLError(.timedOut), nil))).line == "no response")
    }

    @Test("a transcript shows a network error with its code, and any other error with its text")
    func error() {
        #expect(ErrorText(MoyaError.underlying(URLError(.timedOut), nil)).description.contains("(URLError -1001)"))
        #expect(
            ErrorText(MoyaError.requestMapping("x")).description
                == "Failed to map Endpoint to a URLRequest. The URL \"x\" is not valid."
        )
    }
}
