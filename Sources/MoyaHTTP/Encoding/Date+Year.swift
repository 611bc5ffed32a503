import Foundation

extension Date {
    /// Whether the year has four digits, as RFC 3339 and XML property lists require.
    ///
    /// Foundation writes other years incorrectly.
    var hasFourDigitYear: Bool {
        (-62_167_219_200.0..<253_402_300_800.0).contains(timeIntervalSince1970)
    }
}
