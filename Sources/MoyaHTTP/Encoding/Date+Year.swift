import Foundation

extension Date {
    /// Whether the year has four digits, which RFC 3339 and XML property lists need: Foundation writes others as
    /// something that means another date, or nothing.
    var hasFourDigitYear: Bool {
        (-62_167_219_200.0..<253_402_300_800.0).contains(timeIntervalSince1970)
    }
}
