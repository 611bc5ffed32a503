import Foundation

/// An unmet expectation as text.
package struct CheckFailure: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Throws unless a condition is true.
package func expect(_ condition: Bool, _ description: @autoclosure () -> String) throws {
    if !condition { throw CheckFailure(description()) }
}

extension Error {
    /// A short text of the error, for tables that count equal ones.
    package var summary: String {
        guard let error = self as? URLError else { return String(String(describing: self).prefix(160)) }
        let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map {
            " (\(String(describing: $0).prefix(80)))"
        }
        return "URLError \(error.code.rawValue)\(cause ?? "")"
    }
}
