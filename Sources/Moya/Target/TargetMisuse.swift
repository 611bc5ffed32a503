import Foundation

/// A target that cannot be sent because of a mistake in the program, which is reported as an error instead of a trap.
///
/// It is the error in ``MoyaError/parameterEncoding(_:)``, or the underlying error of the `EncodingError` in
/// ``MoyaError/encodableMapping(_:)``. Its text names the target's type and case, the property at fault and the
/// correction; it omits the target's payload, which may be secret.
public struct TargetMisuse: Error, Equatable, Sendable {
    /// The target's type and case, such as `GitHub.createIssue`; `nil` if only the endpoint is known.
    public let target: String?
    /// The property at fault, such as `task`.
    public let property: String
    /// The description of the mistake.
    public let problem: String
    /// The correction.
    public let remedy: String
    /// The error by which the mistake was detected, if any; it is not compared.
    public let cause: (any Error)?

    init(target: String?, property: String, problem: String, remedy: String, cause: (any Error)? = nil) {
        self.target = target
        self.property = property
        self.problem = problem
        self.remedy = remedy
        self.cause = cause
    }

    /// Returns whether target, property, problem and remedy are equal.
    public static func == (lhs: TargetMisuse, rhs: TargetMisuse) -> Bool {
        (lhs.target, lhs.property, lhs.problem, lhs.remedy) == (rhs.target, rhs.property, rhs.problem, rhs.remedy)
    }

    static let bodyEncodingIsForURL = TargetMisuse(
        target: nil,
        property: "task",
        problem: "the bodyEncoding of .requestCompositeParameters is a URLEncoding that may write into the URL",
        remedy: "use URLEncoding.httpBody, or another encoding that writes into the body"
    )

    func naming(_ target: any TargetType) -> TargetMisuse {
        TargetMisuse(
            target: TargetName(target).description,
            property: property,
            problem: problem,
            remedy: remedy,
            cause: cause
        )
    }
}

extension TargetMisuse: LocalizedError {
    /// The target, the property, the problem and the remedy.
    public var errorDescription: String? {
        "\(target.map { "\($0): " } ?? "")`\(property)`: \(problem). Instead, \(remedy)."
    }
}
