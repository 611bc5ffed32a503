import Moya
import Testing

@testable import moya_cli

@Suite("Spans are printed as a tree with bars")
struct SpanTreeTests {
    private func span(
        _ number: Int,
        in parent: Int? = nil,
        _ name: String,
        _ times: ClosedRange<Int>,
        acquired: Int? = nil,
        head: Int? = nil,
        result: String = "200"
    ) -> RecordedSpan {
        RecordedSpan(
            number: number,
            parent: parent,
            name: name,
            start: .milliseconds(times.lowerBound),
            end: .milliseconds(times.upperBound),
            result: result,
            acquired: acquired.map { .milliseconds($0) },
            head: head.map { .milliseconds($0) }
        )
    }

    @Test("a request has a line, and a line for each exchange with its phases")
    func tree() {
        let spans = [
            span(1, "GET /a", 100...200),
            span(2, in: 1, "GET /a", 110...150, acquired: 20, head: 30, result: "302"),
            span(3, in: 1, "GET /b #2", 150...200, acquired: 0, head: 40),
            span(4, "POST /c", 180...200, result: "failed"),
        ]
        #expect(
            SpanTree(barWidth: 10).lines(of: spans) == [
                "GET /a                         200          100.0 ms  |##########|",
                "├ GET /a                       302           40.0 ms  | ··-=     |",
                "└ GET /b #2                    200           50.0 ms  |     ----=|",
                "POST /c                        failed        20.0 ms  |        ##|",
            ]
        )
    }

    @Test("an exchange that is too short for a column has one, and one without phases has no parts")
    func shortSpans() {
        let spans = [
            span(1, "GET /a", 0...1_000), span(2, in: 1, "GET /a", 1_000...1_000),
            span(3, in: 1, "GET /b", 0...500),
        ]
        #expect(
            SpanTree(barWidth: 4).lines(of: spans).map { $0.split(separator: "|")[1] } == ["####", "   -", "--  "]
        )
        #expect(SpanTree().lines(of: []) == [])
    }
}
