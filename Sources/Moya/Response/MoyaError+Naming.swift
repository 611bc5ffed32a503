import Foundation

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
    /// Returns the property at fault, or says that a valid value of it was changed later.
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
        case .bodySequenceNotSupported:
            return "`task`"
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
            remedy: "give a value that the encoder has a form for, or an encoder that is set up for it",
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
