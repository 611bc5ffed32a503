import Foundation
import TestSupport
import Testing

@testable import MoyaHAR

@Suite("Requests are matched with recorded requests")
struct HARMatcherTests {
    @Test(
        "equal requests match a recorded request in any notation",
        arguments: [
            (HAR.Request.get("http://h/a"), HAR.Request.get("HTTP://H:80/a#part")),
            (.get("https://h"), .get("https://h:443/")),
            (.get("http://h/a?x=1&y=2"), .get("http://h/a?y=2&x=1")),
            (.get("http://h/a?x=a%20b"), .get("http://h/a?x=a+b")),
            (.get("http://u:p@h/a"), .get("http://h/a")),
            (.get("http://h/a", headers: ["Date": "1"]), .get("http://h/a", headers: ["Date": "2"])),
            (.post(#"{"a":1,"b":[1,2]}"#), .post(#" { "b": [1, 2.0], "a": 1.0 } "#)),
            (.post(#"{"password":"x"}"#), .post(#"{"password":"y"}"#)),
            (.post(#"{"other":"***"}"#), .post(#"{"other":"y"}"#)),
            (
                .post("a=1&b=2", type: "application/x-www-form-urlencoded"),
                .post("b=2&a=1", type: "application/x-www-form-urlencoded;charset=utf-8")
            ),
            (
                .post("a\r\n--x\r\n--x--", type: "multipart/form-data; boundary=x"),
                .post("a\r\n--yyy\r\n--yyy--", type: "multipart/form-data; boundary=yyy")
            ),
            (.post(nil), .post("", type: "text/plain")),
        ]
    )
    func same(_ recorded: HAR.Request, _ actual: HAR.Request) throws {
        var matcher = HARMatcher(.answering(recorded))
        #expect(try matcher.take(actual).index == 0)
        #expect(matcher.unused.isEmpty)
    }

    static let different: [(HAR.Request, HAR.Request, [HARDifference])] = [
        (.get("http://h/a"), .post(nil, to: "http://h/a"), [.method(recorded: "GET", actual: "POST")]),
        (.get("http://h/a"), .get("https://h/a"), [.origin(recorded: "http://h", actual: "https://h")]),
        (.get("http://h/a"), .get("http://h/A"), [.path(recorded: "/a", actual: "/A")]),
        (.get("http://h/?x=1"), .get("http://h/?x=2"), [.query(name: "x", recorded: ["1"], actual: ["2"])]),
        (
            .get("http://h/?x=1&x=2"), .get("http://h/?x=2&x=1"),
            [.query(name: "x", recorded: ["1", "2"], actual: ["2", "1"])]
        ),
        (.get("http://h/"), .get("http://h/?x"), [.query(name: "x", recorded: [], actual: [""])]),
        (
            .get("http://h/", headers: ["accept": "a"]), .get("http://h/", headers: ["Accept": "b"]),
            [.header(name: "accept", recorded: ["a"], actual: ["b"])]
        ),
        (
            .post(#"{"a":{"b":[1,true]},"c":1}"#), .post(#"{"a":{"b":[1,1]},"d":null}"#),
            [
                .json(path: "$.a.b[1]", recorded: "true", actual: "1"),
                .json(path: "$.c", recorded: "1", actual: nil),
                .json(path: "$.d", recorded: nil, actual: "null"),
            ]
        ),
        (.post("[1]"), .post("[1,2]"), [.json(path: "$[1]", recorded: nil, actual: "2")]),
        (.post(#"{"a":1}"#), .post(nil), [.json(path: "$", recorded: "a body", actual: nil)]),
        (
            .post("a=1", type: "application/x-www-form-urlencoded"),
            .post("a=2", type: "application/x-www-form-urlencoded"),
            [.field(name: "a", recorded: ["1"], actual: ["2"])]
        ),
        (.post("abc", type: "text/plain"), .post("abd", type: "text/plain"), [.bytes(offset: 2)]),
        (.post("abc", type: "text/plain"), .post("ab", type: "text/plain"), [.length(recorded: 3, actual: 2)]),
        (.post("{", type: "application/json"), .post("}", type: "application/json"), [.bytes(offset: 0)]),
    ]

    @Test("a request without a matching entry throws an error with the nearest entry", arguments: different)
    func differs(_ recorded: HAR.Request, _ actual: HAR.Request, _ differences: [HARDifference]) {
        let far = HAR.Request.get("https://elsewhere/far/away?with=this&and=that")
        var matcher = HARMatcher(.answering(far, recorded), matching: HARMatching(headers: ["Accept"]))
        let error = #expect(throws: HARMismatch.self) { try matcher.take(actual) }
        #expect(error?.reason == .noMatch)
        #expect(error?.differences == differences)
        #expect(error?.nearestIndex == 1)
        #expect(error?.nearest?.request == recorded)
        #expect(error?.request == actual)
        #expect(matcher.unused.count == 2)
        let text = error?.localizedDescription ?? ""
        #expect(differences.allSatisfy { text.contains($0.description) }, "\(text)")
    }

    @Test("only the selected parts of a recorded request are compared")
    func parts() throws {
        let recorded = HAR.Request.post("a", type: "text/plain", to: "http://h/a?t=1&x=2")
        func isMatch(_ matching: HARMatching, _ actual: HAR.Request) -> Bool {
            !HARMatcher(.answering(recorded), matching: matching).matches(for: actual).isEmpty
        }
        let actual = HAR.Request.post("b", type: "text/plain", to: "http://other/a?x=2&t=7")
        #expect(!isMatch(HARMatching(), actual))
        #expect(isMatch(HARMatching(parts: [.method, .path, .query], ignoredQueryNames: ["t"]), actual))
        #expect(!isMatch(HARMatching(parts: [.method, .path, .query]), actual))
        #expect(isMatch(HARMatching(parts: []), .get("ftp://x")))
        #expect(isMatch(HARMatching(parts: .method), .post(nil, to: "http://x/")))
        #expect(!isMatch(HARMatching(parts: .method), .get("http://x/")))
    }

    @Test("recorded entries are used once each, in any order, and equal entries in the recorded order")
    func anyOrder() throws {
        var matcher = HARMatcher(.answering(.get("http://h/a"), .get("http://h/b"), .get("http://h/a")))
        #expect(try matcher.take(.get("http://h/b")).index == 1)
        #expect(try matcher.take(.get("http://h/a")).index == 0)
        #expect(matcher.unused.map(\.index) == [2])
        #expect(try matcher.take(.get("http://h/a")).index == 2)
        let error = #expect(throws: HARMismatch.self) { try matcher.take(.get("http://h/a")) }
        #expect(error?.reason == .usedUp)
        #expect(error?.nearestIndex == 2)
        #expect(error?.differences == [])
    }

    @Test("the order `recorded` requires requests in the order of the recording")
    func recordedOrder() throws {
        var matcher = HARMatcher(
            .answering(.get("http://h/a"), .get("http://h/b")),
            matching: HARMatching(order: .recorded)
        )
        let error = #expect(throws: HARMismatch.self) { try matcher.take(.get("http://h/b")) }
        #expect(error?.reason == .outOfOrder)
        #expect(error?.nearestIndex == 0)
        #expect(error?.differences == [.path(recorded: "/a", actual: "/b")])
        #expect(try matcher.take(.get("http://h/a")).index == 0)
        #expect(try matcher.take(.get("http://h/b")).index == 1)
        #expect(throws: HARMismatch.self) { try matcher.take(.get("http://h/b")) }
        let end = #expect(throws: HARMismatch.self) { try matcher.take(.get("http://h/b")) }
        #expect(end?.reason == .pastTheEnd)
    }

    @Test("with repeats, `any` order returns the last match again, and the recorded order starts over")
    func repeats() throws {
        let har = HAR.answering(.get("http://h/a"), .get("http://h/a"))
        var any = HARMatcher(har, matching: HARMatching(repeats: true))
        var indices: [Int] = []
        for _ in 0..<4 { indices.append(try any.take(.get("http://h/a")).index) }
        #expect(indices == [0, 1, 1, 1])
        var ordered = HARMatcher(har, matching: HARMatching(order: .recorded, repeats: true))
        indices = []
        for _ in 0..<4 { indices.append(try ordered.take(.get("http://h/a")).index) }
        #expect(indices == [0, 1, 0, 1])
    }

    @Test("no request matches an empty recording", arguments: [HARMatching.Order.any, .recorded])
    func empty(_ order: HARMatching.Order) {
        var matcher = HARMatcher(HAR(), matching: HARMatching(order: order))
        let error = #expect(throws: HARMismatch.self) { try matcher.take(.get("http://h/a")) }
        #expect(error?.reason == .empty)
        #expect(error?.nearest == nil)
        #expect(error?.localizedDescription.contains("there are no entries") == true)
    }

    @Test("the error of a mismatch with a recording shows no secrets")
    func noSecrets() {
        var matcher = HARMatcher(.answering(.get("http://h/?password=old")), secrets: HARSecrets(names: ["pin"]))
        let actual = HAR.Request.get("http://h/x?password=new", headers: ["Authorization": "Bearer top"])
        let error = #expect(throws: HARMismatch.self) { try matcher.take(actual) }
        let text = error.map { "\($0) \($0.localizedDescription)" } ?? ""
        #expect(!text.contains("new") && !text.contains("old") && !text.contains("top") && text.contains("***"))
    }

    @Test("hundreds of HAR entries with one path are matched quickly")
    func many() throws {
        var generator = SeededGenerator(seed: 3)
        let requests = (0..<300).map { HAR.Request.get("http://h/same?n=\($0)") }
        let entries = requests.map {
            HAR.Entry(startedDateTime: Date(), request: $0, response: HAR.Response(status: 200))
        }
        var matcher = HARMatcher(HAR(entries: entries))
        for request in requests.shuffled(using: &generator) { _ = try matcher.take(request) }
        #expect(matcher.unused.isEmpty)
    }
}
