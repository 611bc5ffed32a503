import Foundation

/// A target that asks for what cannot be done: a mistake in the program, told as an error instead of ending it.
///
/// It stands in ``MoyaError/parameterEncoding(_:)``, or under the `EncodingError` in ``MoyaError/encodableMapping(_:)``. Its text
/// names the target's type and case, the property at fault and what to write instead; the target's payload is left out, as it
/// may be a secret.
public struct TargetMisuse: Error, Equatable, Sendable {
    /// The target's type and case, such as `GitHub.createIssue`; `nil` where only the endpoint is known.
    public let target: String?
    /// The property at fault, such as `task`.
    public let property: String
    /// What is wrong with it.
    public let problem: String
    /// What to write instead.
    public let remedy: String
    /// What the problem was found by, if that is another error. It is no part of what misuses are compared by.
    public let cause: (any Error)?

    init(target: String?, property: String, problem: String, remedy: String, cause: (any Error)? = nil) {
        self.target = target
        self.property = property
        self.problem = problem
        self.remedy = remedy
        self.cause = cause
    }

    /// Whether target, property, problem and remedy are the same.
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
    /// The target, the property, what is wrong and what to write.
    public var errorDescription: String? {
        "\(target.map { "\($0): " } ?? "")`\(property)`: \(problem). Instead, \(remedy)."
    }
}
