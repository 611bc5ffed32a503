import Foundation

/// A time that is sent as seconds since 1970.
struct UnixTime: RawRepresentable, Codable, Hashable, Sendable {
    /// The seconds since 1970.
    var rawValue: Int64

    /// Creates a time from seconds since 1970.
    init(rawValue: Int64) { self.rawValue = rawValue }

    /// Creates the time of a date, without the fraction of its second.
    init(_ date: Date) { rawValue = Int64(date.timeIntervalSince1970.rounded(.down)) }

    /// The time as a date.
    var date: Date { Date(timeIntervalSince1970: TimeInterval(rawValue)) }
}
