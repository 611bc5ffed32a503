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

extension TargetMisuse: MaskedError {
    /// The target, the property, the problem and the remedy.
    public var errorDescription: String? {
        "\(target.map { "\($0): " } ?? "")`\(property)`: \(problem). Instead, \(remedy)."
    }
}

extension MoyaError {
    /// Returns the same error with a text that names the target and the property at fault, if the target is at fault.
    ///
    /// The error's case and the types of its values do not change.
    ///
    /// - Parameters:
    ///   - target: The target of the request.
    ///   - property: The property whose value could not be encoded, for encoding errors.
    /// - Returns: The error.
    func naming(_ target: any TargetType, property: String = "task") -> MoyaError {
        switch self {
        case .parameterEncoding(let misuse as TargetMisuse): .parameterEncoding(misuse.naming(target))
        case .parameterEncoding(let mistake as any RequestDefinitionError): .parameterEncoding(mistake.naming(target))
        case .encodableMapping(let error as EncodingError): .encodableMapping(error.naming(target, property: property))
        case .underlying(let mistake as any RequestDefinitionError, let response):
            .underlying(mistake.naming(target), response)
        default: self
        }
    }
}

extension RequestDefinitionError {
    fileprivate func naming(_ target: any TargetType) -> any RequestDefinitionError {
        var mistake = self
        let place = (self as? RequestValidationError)?.reason.place(in: target) ?? place ?? "`task`"
        mistake.origin = ErrorOrigin(target: TargetName(target).description, place: place)
        return mistake
    }
}

extension RequestValidationError.Reason {
    /// Returns the property at fault, or a text about a valid value that was changed later.
    fileprivate func place(in target: any TargetType) -> String {
        switch self {
        case .invalidURL, .unsupportedScheme:
            let url = target.baseURL
            let isRight = ["http", "https"].contains(url.scheme?.lowercased()) && url.host?.isEmpty == false
            return isRight ? "the URL, changed since `baseURL`" : "`baseURL`"
        case .invalidMethod(let method):
            return target.method.rawValue == method ? "`method`" : "the method, changed since `method`"
        case .invalidHeaderName(let name), .invalidHeaderValue(let name):
            let isTargets = target.headers?.keys.contains { $0.lowercased() == name.lowercased() } ?? false
            return isTargets ? "`headers`" : "a header that is not from `headers`"
        case .bodyNotAllowed:
            return "`method`"
        case .bodySequenceNotSupported, .trailersNotSupported:
            return "`task`"
        case .upgradeNotSupported:
            return "the session's transport"
        case .invalidUpgrade:
            return "`method` or `task`"
        }
    }
}

extension EncodingError {
    /// Returns the error with a ``TargetMisuse`` as its underlying error.
    fileprivate func naming(_ target: any TargetType, property: String) -> EncodingError {
        guard case .invalidValue(let value, let context) = self, !(context.underlyingError is TargetMisuse) else {
            return self
        }
        let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
        let place = path.isEmpty ? "" : " at \(path.drop { $0 == "." })"
        let misuse = TargetMisuse(
            target: TargetName(target).description,
            property: property,
            problem: "the \(type(of: value))\(place) can't be encoded",
            remedy: "give a value that the encoder supports, or configure the encoder for it",
            cause: context.underlyingError
        )
        return .invalidValue(
            value,
            Context(
                codingPath: context.codingPath,
                debugDescription: context.debugDescription,
                underlyingError: misuse
            )
        )
    }

    /// The description of the target's mistake, if the error has one.
    var misuse: TargetMisuse? {
        if case .invalidValue(_, let context) = self { context.underlyingError as? TargetMisuse } else { nil }
    }
}
