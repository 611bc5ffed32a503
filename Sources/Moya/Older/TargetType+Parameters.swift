// Names of Moya 9 and older, when parameters were a target's, and of Moya 11 and older, when validation was yes or no.
//
// They say something only where they are read of a target that has none of that name. They are of type Void, so that
// none of them is taken for what another protocol asks of a target.
extension TargetType {
    /// Gone: parameters belong to ``task``.
    @available(
        *,
        unavailable,
        message: "Parameters are part of the task: return .requestParameters(parameters:encoding:) from it."
    )
    public var parameters: Void { () }

    /// Gone: an encoding belongs to ``task``.
    @available(
        *,
        unavailable,
        message: "The encoding is part of the task: return .requestParameters(parameters:encoding:) from it."
    )
    public var parameterEncoding: Void { () }

    /// Gone: see ``validationType``.
    @available(*, unavailable, message: "Read validationType: .successCodes is what true was.")
    public var validate: Void { () }
}
