#if Macros
// These diagnostics report mistakes in an enumeration of results by status.
extension MacroDiagnostic {
    static let noEnum = MacroDiagnostic(
        id: "noEnum",
        message: "@StatusResult is for an enum, with a case for each status"
    )
    static let noCases = MacroDiagnostic(id: "noCases", message: "the enum has no cases: declare one for each status")
    static let statusOutsideOfResult = MacroDiagnostic(
        id: "statusOutsideOfResult",
        message: "@Status is for a case of an enum that has @StatusResult"
    )

    static func noStatus(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(
            id: "noStatus",
            message: "'\(name)' needs @Status with its statuses, or a 'Response' as its value for all other statuses"
        )
    }

    static let severalCases = MacroDiagnostic(
        id: "severalCases",
        message: "@Status is for one case: write each case in its own line"
    )

    static func severalValues(_ name: String) -> MacroDiagnostic {
        MacroDiagnostic(id: "severalValues", message: "'\(name)' can only have one value, which is the decoded body")
    }

    static func secondStatus(_ status: Int) -> MacroDiagnostic {
        MacroDiagnostic(id: "secondStatus", message: "another case already has the status \(status)")
    }

    static let secondOther = MacroDiagnostic(
        id: "secondOther",
        message: "another case already has all other statuses"
    )
    static let invalidStatus = MacroDiagnostic(
        id: "invalidStatus",
        message: "a status is a number from 100 to 599 (RFC 9110, section 15)"
    )
}
#endif
