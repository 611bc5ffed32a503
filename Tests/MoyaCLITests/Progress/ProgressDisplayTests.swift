import Foundation
import Moya
import Testing

@testable import moya_cli

@Suite("Progress is displayed on terminals and in logs")
struct ProgressDisplayTests {
    private static func bar(_ completed: Int64, _ total: Int64?) -> ProgressBar {
        ProgressBar(completed: ByteCount(completed), total: total.map { ByteCount($0) })
    }

    /// Shows each progress on a display without a terminal, and returns the written lines.
    private func log(_ bars: [ProgressBar]) -> [String] {
        let lines = Locked<[String]>([])
        let display = ProgressDisplay(terminal: nil) { line in lines.withLock { $0.append(line) } }
        for bar in bars { display.show(bar) }
        display.end()
        return lines.withLock { $0 }
    }

    @Test("a log of progress has one line for each quarter, even if reports are frequent")
    func quarters() {
        let lines = log((0...1_000).map { Self.bar($0, 1_000) })
        #expect(
            lines == [
                "  0 %     0 of 1000 B", " 25 %   250 of 1000 B", " 50 %   500 of 1000 B", " 75 %   750 of 1000 B",
                "100 %  1000 of 1000 B",
            ]
        )
    }

    @Test("a log of progress has one line for several quarters that are passed at once")
    func leaps() {
        #expect(log([Self.bar(80, 100), Self.bar(90, 100)]) == [" 80 %   80 of 100 B", " 90 %   90 of 100 B"])
        #expect(log([Self.bar(100, 100), Self.bar(100, 100)]) == ["100 %  100 of 100 B"])
    }

    @Test("a log of progress has a few lines and a final line if the total is unknown")
    func unknownTotal() {
        let lines = log((0...4_096).map { Self.bar($0 << 18, nil) })
        #expect(lines == ["1.0 MiB", "16.0 MiB", "256.0 MiB", "1.0 GiB"])
        #expect(log([Self.bar(5, nil)]) == ["5 B"])
        #expect(log([Self.bar(.max, nil), Self.bar(.max, nil)]) == ["8388608.0 TiB"])
    }

    @Test("a log of progress continues if the total becomes known or unknown")
    func changingTotal() {
        let lines = log([Self.bar(0, nil), Self.bar(50, 100), Self.bar(150, nil), Self.bar(2 << 20, nil)])
        #expect(lines == [" 50 %   50 of 100 B", "2.0 MiB"])
    }

    @Test("a log of progress has no line for a transfer without reports")
    func nothing() {
        #expect(log([]).isEmpty)
    }

    @Test("a log of progress has no control characters")
    func plain() {
        for line in log((0...100).map { Self.bar($0 << 20, 100 << 20) }) {
            let isPlain = line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            #expect(isPlain, "\(line.debugDescription)")
        }
    }

    @Test("a terminal has one progress line, which is redrawn and removed at the end")
    func terminal() {
        let sent = Locked("")
        let terminal = Terminal(columns: { 60 }) { text in sent.withLock { $0 += text } }
        let transcript = Transcript(style: .plain, terminal: terminal)
        let display = transcript.progress()
        display.show(Self.bar(0, 100))
        display.show(Self.bar(50, 100))
        display.show(Self.bar(50, 100))
        display.end()
        display.end()
        let clear = "\u{1B}[K"
        let bars = [
            String(repeating: "-", count: 33), String(repeating: "#", count: 16) + String(repeating: "-", count: 17),
        ]
        #expect(
            sent.withLock { $0 } == "\r    [\(bars[0])]   0 %    0 of 100 B\(clear)"
                + "\r    [\(bars[1])]  50 %   50 of 100 B\(clear)\r\(clear)"
        )
    }

    @Test("a permanent line replaces the redrawn progress line")
    func lines() {
        var line = LiveLine()
        let sent = [
            line.write("first"), line.draw("50 %"), line.write("second"), line.draw("50 %"), line.clear(), line.clear(),
        ]
        #expect(
            sent == [
                "first\n", "\r50 %\u{1B}[K", "\r\u{1B}[Ksecond\n", "\r50 %\u{1B}[K", "\r\u{1B}[K", nil,
            ]
        )
    }

    @Test(
        "a progress line is redrawn only on a capable terminal, with or without color",
        arguments: [
            (true, [:], true), (true, ["TERM": "xterm", "NO_COLOR": "1"], true), (true, ["TERM": "dumb"], false),
            (false, ["TERM": "xterm"], false),
        ] as [(Bool, [String: String], Bool)]
    )
    func redraws(isTerminal: Bool, environment: [String: String], canRedraw: Bool) {
        #expect(Terminal.canRedraw(isTerminal: isTerminal, environment: environment) == canRedraw)
    }

    @Test("a provider's progress is shown, and a total of -1 counts as unknown")
    func fromProvider() {
        let display = ProgressDisplay(terminal: nil) { _ in }
        display.show(ProgressResponse())
        #expect(display.fraction == 0)
        let progress = Progress(totalUnitCount: 10)
        progress.completedUnitCount = 5
        display.show(ProgressResponse(progress: progress))
        #expect(display.fraction == 0.5)
        display.show(ProgressResponse(progress: Progress(totalUnitCount: -1)))
        #expect(display.fraction == 0)
    }
}
