import Foundation
import TestTraits
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

@Suite("A transfer reports its progress at a limited rate", .ownThread)
struct TransferProgressTests {
    /// Returns the reported numbers of a transfer in pieces of one length, each after a pause.
    private func told(
        of count: Int,
        total: Int64,
        pieces: Int,
        pause: Duration = .zero
    ) -> [Int64] {
        var progress = TransferProgress(total: total)
        var now = Duration.zero
        var told: [Int64] = []
        for start in stride(from: 0, to: count, by: pieces) {
            now += pause
            if progress.advance(to: Int64(min(start + pieces, count)), at: now) { told.append(progress.completed) }
        }
        if progress.recordLastReport(at: now) { told.append(progress.completed) }
        return told
    }

    @Test(
        "a fast transfer has about a hundred growing progress reports and one at the end",
        arguments: [(10_000_000, 1_000), (10_000_000, 1), (10_000_000, 128 * 1_024), (1_000, 1), (100, 1), (1, 1)]
    )
    func fast(count: Int, pieces: Int) {
        let told = told(of: count, total: Int64(count), pieces: pieces)
        #expect((1...102).contains(told.count), "\(told.count)")
        #expect(zip(told, told.dropFirst()).allSatisfy { $0 < $1 })
        #expect(told.last.map { $0 >= count } == true)
    }

    @Test("a fast transfer of unknown length has about a hundred progress reports, too", arguments: [1, 1_000, 65_536])
    func unknown(pieces: Int) {
        let told = told(of: 10_000_000, total: -1, pieces: pieces)
        #expect((1...110).contains(told.count), "\(told.count)")
        #expect(told.last.map { $0 >= 10_000_000 } == true)
    }

    @Test(
        "a slow transfer has ten progress reports per second, with or without a known length",
        arguments: [1_000_000, -1] as [Int64]
    )
    func slow(total: Int64) {
        // The transfer takes 100 seconds, with one byte each hundredth of a second.
        let told = told(of: 10_000, total: total, pieces: 1, pause: .milliseconds(10))
        #expect((900...1_200).contains(told.count), "\(told.count)")
    }

    @Test("the first bytes of a transfer are reported immediately")
    func first() {
        var progress = TransferProgress(total: 1_000_000)
        let first = progress.advance(to: 1, at: .zero)
        #expect(first)
        let second = progress.advance(to: 2, at: .milliseconds(1))
        #expect(!second)
    }

    @Test("no bytes, or fewer bytes than before, cause no progress report")
    func nothing() {
        var progress = TransferProgress(total: 100)
        #expect(told(&progress) { $0.advance(to: 0, at: .seconds(1)) } == nil)
        #expect(told(&progress) { $0.recordLastReport(at: .seconds(2)) } == nil)
        #expect(told(&progress) { $0.advance(to: 50, at: .seconds(3)) } == 50)
        #expect(told(&progress) { $0.advance(to: 40, at: .seconds(4)) } == nil)
        #expect(told(&progress) { $0.advance(to: 50, at: .seconds(5)) } == nil)
        #expect(told(&progress) { $0.advance(to: 51, at: .seconds(6)) } == 51)
    }

    @Test("the end of a transfer is reported once, unless all bytes have been reported before")
    func end() {
        var progress = TransferProgress(total: -1)
        _ = progress.advance(to: 1_000_000, at: .zero)
        #expect(told(&progress) { $0.advance(to: 1_000_001, at: .milliseconds(1)) } == nil)
        #expect(told(&progress) { $0.recordLastReport(at: .milliseconds(2)) } == 1_000_001)
        #expect(told(&progress) { $0.recordLastReport(at: .milliseconds(3)) } == nil)
    }

    @Test("the receipt of all expected bytes is reported immediately")
    func total() {
        var progress = TransferProgress(total: 1_000_000)
        _ = progress.advance(to: 999_999, at: .zero)
        #expect(told(&progress) { $0.advance(to: 1_000_000, at: .zero) } == 1_000_000)
        #expect(told(&progress) { $0.recordLastReport(at: .seconds(1)) } == nil)
    }

    @Test("a wrong total of a transfer becomes unknown, and may become known later")
    func wrongTotal() {
        var progress = TransferProgress(total: 10)
        _ = progress.advance(to: 11, at: .zero)
        #expect(progress.total == -1)
        progress.expect(5)
        #expect(progress.total == -1)
        progress.expect(20)
        #expect(progress.total == 20)
        #expect(TransferProgress(total: -7).total == -1)
    }

    @Test(
        "a transfer that is repeated with a shorter body ends with the reported number of bytes as its total",
        arguments: [(10, 60), (50, 60), (60, 60), (100, 100)] as [(Int64, Int64)]
    )
    func shorter(length: Int64, last: Int64) {
        var progress = TransferProgress()
        #expect(told(&progress) { $0.advance(to: 60, of: 1_000, at: .zero) } == 60)
        let reports = stride(from: 10, through: length, by: 10).compactMap { count in
            told(&progress) { $0.advance(to: count, of: length, at: .seconds(1)) }
        }
        #expect(reports.last == last && progress.total == last)
        #expect(told(&progress) { $0.advance(to: length, of: length, at: .seconds(2)) } == nil)
    }

    @Test(
        "neither the number of bytes nor the fraction in progress reports decreases after a restart",
        arguments: [
            // The other body has another length, or none that is known.
            (100, [60, 100]), (200, [100, 160, 200]), (50, [50]), (nil, []), (1_000, [550]),
        ] as [(Int64?, [Int64])]
    )
    func restart(total: Int64?, reports: [Int64]) {
        var progress = TransferProgress(total: 100)
        #expect(told(&progress) { $0.advance(to: 50, at: .zero) } == 50)
        progress.restart(total: total)
        #expect(progress.completed == 0)
        let counts: [Int64] = [10, 50, 60, 100, 160, 200, 550].filter { $0 <= total ?? 550 }
        let told = counts.enumerated().compactMap { index, count in
            self.told(&progress) { $0.advance(to: count, at: .seconds(index + 1)) }
        }
        #expect(told == reports)
    }

    @Test("each progress report has a new Progress object")
    func objects() {
        var progress = TransferProgress(total: 10)
        _ = progress.advance(to: 5, at: .zero)
        let object = progress.makeProgress()
        _ = progress.advance(to: 10, at: .zero)
        #expect(object.completedUnitCount == 5)
        #expect(object.totalUnitCount == 10)
        #expect(object.fractionCompleted == 0.5)
        let unknown = TransferProgress().makeProgress()
        #expect(unknown.totalUnitCount == -1)
        #expect(unknown.fractionCompleted == 0)
    }

    /// Returns the number of bytes that is reported after an event; `nil` if the event causes no report.
    private func told(_ progress: inout TransferProgress, _ event: (inout TransferProgress) -> Bool) -> Int64? {
        event(&progress) ? progress.completed : nil
    }
}
