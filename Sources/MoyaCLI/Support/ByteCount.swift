import ArgumentParser
import Foundation
import Moya

/// A number of bytes that is formatted in KiB, MiB, GiB and TiB.
struct ByteCount: Equatable, Sendable, CustomStringConvertible {
    let bytes: Int64

    init(_ bytes: Int64) { self.bytes = bytes }

    static func mebibytes(_ count: Int64) -> ByteCount { ByteCount(count << 20) }

    private static let units = ["B", "KiB", "MiB", "GiB", "TiB"]

    /// The index of the largest unit of which the number contains at least one.
    private var unit: Int {
        var unit = 0
        while unit + 1 < Self.units.count, bytes >> (10 * (unit + 1)) > 0 { unit += 1 }
        return unit
    }

    /// The number in its largest unit, rounded to tenths.
    var description: String {
        let unit = unit
        guard unit > 0 else { return "\(bytes) \(Self.units[0])" }
        let tenths = tenths(in: unit, rounded: true)
        // 1024.0 KiB is written as 1.0 MiB.
        if tenths >= 10_240, unit + 1 < Self.units.count { return "1.0 \(Self.units[unit + 1])" }
        return "\(tenths / 10).\(tenths % 10) \(Self.units[unit])"
    }

    /// Returns the number as a part of a total, in the total's unit: "1.5 of 8.0 MiB".
    func text(of total: ByteCount) -> String {
        let whole = total.number(in: total.unit)
        let part = number(in: total.unit)
        // The number is padded to the width of the total, so that the following text does not move.
        let indent = String(repeating: " ", count: max(0, whole.count - part.count))
        return "\(indent)\(part) of \(whole) \(Self.units[total.unit])"
    }

    private func number(in unit: Int) -> String {
        guard unit > 0 else { return "\(bytes)" }
        // The number is truncated, so that the total appears only at the end.
        let tenths = tenths(in: unit, rounded: false)
        return "\(tenths / 10).\(tenths % 10)"
    }

    private func tenths(in unit: Int, rounded: Bool) -> Int64 {
        let shift = 10 * unit
        let half: Int64 = rounded ? 1 << (shift - 1) : 0
        return (bytes >> shift) * 10 + ((bytes & (1 << shift - 1)) * 10 + half) >> shift
    }
}

extension ByteCount: ExpressibleByArgument {
    /// Parses a positive integer with an optional unit: `4096`, `64MiB`, `1 gib`; `nil` if invalid or more than 1024
    /// TiB.
    init?(argument: String) {
        let text = argument.lowercased()
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let name = text.dropFirst(digits.count).drop { $0 == " " }
        let unit = name.isEmpty ? 0 : Self.units.firstIndex { $0.lowercased() == name }
        guard let unit, let number = Int64(digits), number > 0 else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: 1 << (10 * unit))
        guard !overflow, bytes <= Self.largest else { return nil }
        self.init(bytes)
    }

    private static let largest: Int64 = 1 << 50
}
