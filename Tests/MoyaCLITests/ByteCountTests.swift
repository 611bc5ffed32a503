import ArgumentParser
import Foundation
import Testing

@testable import moya_cli

@Suite("Byte counts are parsed and shown")
struct ByteCountTests {
    @Test(
        "a byte count is parsed from a number with an optional unit",
        arguments: [
            ("1", 1), ("4096", 4_096), ("007", 7), ("10B", 10), ("1KiB", 1_024), ("64MiB", 67_108_864),
            ("64 mib", 67_108_864), ("1GIB", 1_073_741_824), ("1024TiB", 1 << 50),
        ] as [(String, Int64)]
    )
    func parsed(_ argument: String, _ bytes: Int64) {
        #expect(ByteCount(argument: argument)?.bytes == bytes)
    }

    @Test(
        "a byte count is not parsed from a text without a number and an optional unit",
        arguments: [
            "", " ", "0", "0MiB", "-1", "+1", "1.5MiB", "MiB", "1MB", "1M", "1 Mi B", "1MiBs", "٣", "0x10", "1e6",
            "1025TiB",
            "9223372036854775807", "9223372036854775808", "9223372036854775807TiB",
        ]
    )
    func refused(_ argument: String) {
        #expect(ByteCount(argument: argument) == nil)
    }

    @Test(
        "a byte count is shown in the largest suitable unit, rounded",
        arguments: [
            (0, "0 B"), (1, "1 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (1_075, "1.0 KiB"), (1_076, "1.1 KiB"),
            (1_535, "1.5 KiB"), (1_536, "1.5 KiB"),
            (1_048_524, "1023.9 KiB"), (1_048_525, "1.0 MiB"), (1_048_575, "1.0 MiB"), (1_048_576, "1.0 MiB"),
            (1 << 30, "1.0 GiB"), (1 << 50, "1024.0 TiB"),
            (.max, "8388608.0 TiB"),
        ] as [(Int64, String)]
    )
    func description(_ bytes: Int64, _ text: String) {
        #expect("\(ByteCount(bytes))" == text)
    }

    @Test(
        "a byte count beside a total is shown in the total's unit and width",
        arguments: [
            (0, 100, "  0 of 100 B"), (100, 100, "100 of 100 B"), (0, 8 << 20, "0.0 of 8.0 MiB"),
            (8 << 20 - 1, 8 << 20, "7.9 of 8.0 MiB"), (1 << 20, 512 << 20, "  1.0 of 512.0 MiB"), (0, 0, "0 of 0 B"),
        ] as [(Int64, Int64, String)]
    )
    func part(_ bytes: Int64, of total: Int64, _ text: String) {
        #expect(ByteCount(bytes).text(of: ByteCount(total)) == text)
    }
}
