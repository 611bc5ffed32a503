import Foundation

/// A target that defines the type of its output.
///
///     struct GetUser: TypedTargetType {
///         typealias Output = User
///         var name: String
///
///         var baseURL: URL { URL(string: "https://api.github.com")! }
///         var path: String { "/users/\(name)" }
///         var method: Moya.Method { .get }
///         var task: HTTPTask { .requestPlain }
///         var headers: [String: String]? { nil }
///     }
///
///     let user = try await provider.request(GetUser(name: "ashfurrow"))
///
/// The provider has this target type, or ``MultiTarget``. Typed targets are processed like any other target; the
/// output is created from the final response, after the plugins. For the response itself write `let response:
/// Response = …`.
///
/// The output can be:
///
/// - a `Decodable` type, which ``decoder`` decodes, at ``outputKeyPath`` if there is one;
/// - `Data` or `String`: the unchanged body, or the value at the key path;
/// - an `Optional` of these: `nil` for an empty body, such as the body of a 204;
/// - `Void`, for any body;
/// - ``Response``;
/// - any other type, with a custom ``output(from:)``.
///
/// Methods without support for outputs, such as those that report progress, return responses; ``output(from:)``
/// converts them.
///
/// Declare common members of several targets in a protocol that refines this one.
@preconcurrency
public protocol TypedTargetType<Output>: TargetType, _TypedTargetMemberSpellings, _TypedTargetDecoder {
    /// The type of the output.
    associatedtype Output: Sendable

    /// The decoded body of a rejected response; ``NoErrorBody`` by default.
    ///
    /// If ``TargetType/validationType`` rejects a status outside of 200 to 299 and the body decodes as this type, the
    /// request fails with the decoded value in ``MoyaError/underlying(_:_:)``.
    /// If the body does not decode, the text of the status's error has the reason.
    associatedtype ErrorBody: Decodable & Error = NoErrorBody

    /// Returns the output of a response whose status is accepted.
    ///
    /// - Throws: ``MoyaError``; any other error is wrapped in ``MoyaError/objectMapping(_:_:)``, and
    ///   `CancellationError` becomes `URLError.cancelled` in ``MoyaError/underlying(_:_:)``.
    func output(from response: Response) throws -> Output

    /// Decodes outputs and error bodies; `JSONDecoder()` by default.
    var decoder: any ResponseDecoder { get }

    /// The location of the output in the body: names separated by dots; `nil`, the default, for the whole body.
    ///
    /// A missing value at the key path is an error, also for an `Optional`, so that a misspelled key path does not look like
    /// an empty output.
    var outputKeyPath: String? { get }

    /// The location of the ``ErrorBody`` in a rejected response's body; `nil`, the default, for the whole body.
    var errorBodyKeyPath: String? { get }
}

extension TypedTargetType {
    /// The codes 200 to 299, as other responses rarely contain the output; use ``ValidationType/none`` to accept all.
    public var validationType: ValidationType { declaredMembers.validationType(of: self) ?? .successCodes }

    /// A JSON decoder with default settings.
    public var decoder: any ResponseDecoder { declaredMembers.decoder(of: self) ?? JSONDecoder() }

    /// No key path: the whole body.
    public var outputKeyPath: String? { declaredMembers.outputKeyPath(of: self) }

    /// No key path: the whole body.
    public var errorBodyKeyPath: String? { declaredMembers.errorBodyKeyPath(of: self) }
}

extension TypedTargetType where Output: Decodable {
    /// Returns the body as a value: see ``Response/output(_:atKeyPath:using:)``.
    ///
    /// - Throws: ``MoyaError/objectMapping(_:_:)``, ``MoyaError/jsonMapping(_:)`` or ``MoyaError/stringMapping(_:)``.
    public func output(from response: Response) throws(MoyaError) -> Output {
        try response.output(Output.self, atKeyPath: outputKeyPath, using: decoder)
    }
}

extension TypedTargetType where Output == Void {
    // The result type is not written as Void, because the compiler would suggest Void for a target that does not declare its Output.
    /// Returns nothing, for any body.
    public func output(from response: Response) -> Output { () }
}

extension TypedTargetType where Output == Response {
    /// Returns the response.
    public func output(from response: Response) -> Output { response }
}

extension TypedTargetType {
    /// Returns the output of a response, or the error with the decoded body of a rejected response.
    ///
    /// This is the only additional step of typed targets, and the last one.
    func output(from result: Result<Response, MoyaError>) -> Result<Output, MoyaError> {
        switch result {
        case .success(let response):
            do {
                return .success(try output(from: response))
            } catch {
                return .failure(((error as? MoyaError) ?? .objectMapping(error, response)).replacingCancellation)
            }
        case .failure(let error):
            return .failure(error.withBody(as: ErrorBody.self, atKeyPath: errorBodyKeyPath, using: decoder))
        }
    }
}
