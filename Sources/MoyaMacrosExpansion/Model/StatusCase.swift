#if Macros
import SwiftSyntax

/// A case of an enumeration whose cases are the statuses of responses.
struct StatusCase {
    /// The value of the case.
    enum Payload {
        case nothing
        /// The response.
        case response
        /// The decoded body, of this type.
        case body(TypeSyntax)
    }

    /// The name, without backticks.
    var name: String
    /// The label of the value as written; `nil` for none.
    var label: String?
    var payload: Payload
    /// Expressions for the statuses; `nil` for all statuses that no other case has.
    var statuses: [Statuses]?

    /// An expression for statuses.
    struct Statuses {
        var text: String
        /// The numbers, if they are literals.
        var range: ClosedRange<Int>?
        /// Whether the expression is a range.
        var isRange: Bool
    }
}
#endif
