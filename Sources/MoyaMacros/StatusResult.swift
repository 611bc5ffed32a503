#if Macros
import Foundation
import Moya

/// A result that depends on the status of its response: see ``StatusResult()``.
public protocol StatusResult: SendableMetatype {
    /// The statuses that have a case.
    static var validationType: ValidationType { get }

    /// Creates the result of a response.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)`` for a status without a case; the error of a body that does not decode.
    init(from response: Response, using decoder: any ResponseDecoder) throws(MoyaError)
}

/// Creates an enumeration from responses by their status.
///
///     @StatusResult
///     enum SaveResult {
///         @Status(200) case updated(Document)
///         @Status(201) case created(Document)
///         @Status(409, 412) case conflict(Problem)
///         @Status(304) case unchanged
///     }
///
/// A case has the decoded body as its value, or a ``TypedResponse``, the ``Response`` itself, or nothing. A case with a ``Response`` and
/// without ``Status(_:)-55f0p`` is for all other statuses; without such a case, they are refused, and the method throws.
@attached(extension, conformances: StatusResult, names: named(validationType), named(init))
public macro StatusResult() = #externalMacro(module: "MoyaMacrosPlugin", type: "StatusResultMacro")

/// Sets the statuses of a case of an enumeration with ``StatusResult()``.
@attached(peer)
public macro Status(_ statuses: Int...) = #externalMacro(module: "MoyaMacrosPlugin", type: "StatusMacro")

/// Sets the statuses of a case of an enumeration with ``StatusResult()``.
@attached(peer)
public macro Status(_ statuses: ClosedRange<Int>) = #externalMacro(module: "MoyaMacrosPlugin", type: "StatusMacro")

/// Functions that create the value of a case of a ``StatusResult``.
public enum StatusValue {
    /// Returns the response.
    ///
    /// - Throws: Nothing. The generated code calls all overloads in the same way.
    public static func of(_ response: Response, using decoder: any ResponseDecoder) throws(MoyaError) -> Response {
        response
    }

    /// Returns the decoded body with the response.
    ///
    /// - Throws: ``MoyaError``.
    public static func of<Value: Decodable>(
        _ response: Response,
        using decoder: any ResponseDecoder
    ) throws(MoyaError) -> TypedResponse<Value> {
        TypedResponse(try response.output(using: decoder), response: response)
    }

    /// Returns the decoded body.
    ///
    /// - Throws: ``MoyaError``.
    public static func of<Value: Decodable>(
        _ response: Response,
        using decoder: any ResponseDecoder
    ) throws(MoyaError) -> Value {
        try response.output(using: decoder)
    }
}
#endif
