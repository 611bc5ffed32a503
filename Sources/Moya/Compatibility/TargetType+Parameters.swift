// Names of Moya 9 and older, when parameters belonged to the target, and of Moya 11 and older, when validation was a
// Boolean.
//
// They produce a diagnostic only when read from a target that does not declare the name. Their type is Void so that
// they never satisfy a requirement of another protocol.
extension TargetType {
    /// Unavailable: parameters belong to ``task``.
    @available(
        *,
        unavailable,
        message: "Parameters are part of the task: return .requestParameters(parameters:encoding:) from it."
    )
    public var parameters: Void { () }

    /// Unavailable: an encoding belongs to ``task``.
    @available(
        *,
        unavailable,
        message: "The encoding is part of the task: return .requestParameters(parameters:encoding:) from it."
    )
    public var parameterEncoding: Void { () }

    /// Unavailable: replaced by ``validationType``.
    @available(*, unavailable, message: "Read validationType: .successCodes is what true was.")
    public var validate: Void { () }
}
