import Testing

@testable import moya_cli

@Suite("The progress bar shows the part of a transfer that is done")
struct ProgressBarTests {
    private static func bar(_ completed: Int64, _ total: Int64?) -> ProgressBar {
        ProgressBar(completed: ByteCount(completed), total: total.map { ByteCount($0) })
    }

    @Test(
        "the progress bar shortens first its bar and then its text to fit the width",
        arguments: [
            (200, "[####################--------------------]  50 %  4.0 of 8.0 MiB"),
            (64, "[####################--------------------]  50 %  4.0 of 8.0 MiB"),
            (63, "[###################--------------------]  50 %  4.0 of 8.0 MiB"),
            (34, "[#####-----]  50 %  4.0 of 8.0 MiB"),
            (33, " 50 %  4.0 of 8.0 MiB"),
            (21, " 50 %  4.0 of 8.0 MiB"),
            (20, " 50 %"),
            (5, " 50 %"),
            (4, ""),
            (0, ""),
            (-1, ""),
        ]
    )
    func widths(_ width: Int, _ text: String) {
        #expect(Self.bar(4 << 20, 8 << 20).text(width: width) == text)
    }

    @Test(
        "the progress bar grows with the transfer, and is full only at the end",
        arguments: [
            (0, 1_000, "[----------]   0 %     0 of 1000 B"),
            (99, 1_000, "[----------]   9 %    99 of 1000 B"),
            (100, 1_000, "[#---------]  10 %   100 of 1000 B"),
            (999, 1_000, "[#########-]  99 %   999 of 1000 B"),
            (1_000, 1_000, "[##########] 100 %  1000 of 1000 B"),
            (2_000, 1_000, "[##########] 100 %  2000 of 1000 B"),
            (0, 0, "[##########] 100 %  0 of 0 B"),
        ] as [(Int64, Int64, String)]
    )
    func fill(_ completed: Int64, _ total: Int64, _ text: String) {
        let bar = Self.bar(completed, total)
        #expect(bar.text(width: bar.summary.count + 13) == text)
    }

    @Test(
        "the progress bar shows the received amount if the total is unknown",
        arguments: [(80, "5.0 MiB"), (7, "5.0 MiB"), (6, "")]
    )
    func unknownTotal(_ width: Int, _ text: String) {
        #expect(Self.bar(5 << 20, nil).text(width: width) == text)
        #expect(Self.bar(5 << 20, nil).fraction == nil)
    }

    @Test("the progress bar never exceeds its width", arguments: [nil, 0, 1, 1_023, 1_024, 1 << 40] as [Int64?])
    func bound(_ total: Int64?) {
        for completed in [0, 1, 1_023, 1 << 20, 1 << 40] as [Int64] {
            for width in 0...120 {
                let text = Self.bar(completed, total).text(width: width)
                #expect(text.count <= width, "\(completed) of \(total ?? -1) in \(width): \(text)")
            }
        }
    }
}
