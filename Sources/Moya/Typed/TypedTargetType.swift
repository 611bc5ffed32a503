import Foundation

/// A target that knows what its response is made into.
///
///     struct GetUser: TypedTargetType {
///         typealias Answer = User
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
/// The provider is one of this target type, or of ``MultiTarget``. It does with the target what it does with any other;
/// the answer is made of what comes out at the end, after the plugins. Where the response itself is wanted, write
/// `let response: Response = …`.
///
/// What can be an answer:
///
/// - a `Decodable` type, which ``decoder`` decodes, at ``answerKeyPath`` if there is one;
/// - `Data` and `String`: the body as it is, or what is at the key path;
/// - an `Optional` of these: `nil` for a body of no bytes, such as a 204 has;
/// - `Void`: whatever the body is;
/// - ``Response``;
/// - any other type, with an ``answer(from:)`` of your own.
///
/// Methods that know nothing of answers, such as those for progress, give responses; ``answer(from:)`` makes the answer
/// of one.
///
/// What several targets have in common goes into a protocol of yours that refines this one.
@preconcurrency
public protocol TypedTargetType<Answer>: TargetType {
    /// What the response is made into.
    associatedtype Answer: Sendable

    /// What the body of a refused response says. Nothing, unless you say otherwise.
    ///
    /// A status that ``TargetType/validationType`` refuses fails with ``MoyaError/underlying(_:_:)`` that holds one, if it
    /// is outside of 200 to 299 and the body decodes as one.
    associatedtype ErrorBody: Decodable & Error = NoErrorBody

    /// Makes the answer of a response whose status is accepted.
    ///
    /// - Throws: ``MoyaError``; any other error ends up in ``MoyaError/objectMapping(_:_:)``, and `CancellationError`
    ///   becomes `URLError.cancelled` in ``MoyaError/underlying(_:_:)``.
    func answer(from response: Response) throws -> Answer

    /// Decodes answers and errors' bodies. `JSONDecoder()`, unless you say otherwise.
    var decoder: any ResponseDecoder { get }

    /// Where in the body the answer is: names separated by dots. The whole body, unless you say otherwise.
    ///
    /// Nothing at the key path is an error, for an `Optional` too: a mistyped one would look like an empty answer.
    var answerKeyPath: String? { get }

    /// Where in a refused response's body the ``ErrorBody`` is. The whole body, unless you say otherwise.
    var errorBodyKeyPath: String? { get }
}

extension TypedTargetType {
    /// 200 to 299: no other response can be expected to hold the answer. With ``ValidationType/none`` every response is.
    public var validationType: ValidationType { .successCodes }

    /// A decoder for JSON.
    public var decoder: any ResponseDecoder { JSONDecoder() }

    /// The whole body.
    public var answerKeyPath: String? { nil }

    /// The whole body.
    public var errorBodyKeyPath: String? { nil }
}

extension TypedTargetType where Answer: Decodable {
    /// The body's value: see ``Response/answer(_:atKeyPath:using:)``.
    ///
    /// - Throws: ``MoyaError/objectMapping(_:_:)``, ``MoyaError/jsonMapping(_:)`` or ``MoyaError/stringMapping(_:)``.
    public func answer(from response: Response) throws(MoyaError) -> Answer {
        try response.answer(Answer.self, atKeyPath: answerKeyPath, using: decoder)
    }
}

extension TypedTargetType where Answer == Void {
    // Not written as Void: where a target leaves its Answer out, the compiler would propose it.
    /// Nothing, whatever the body is.
    public func answer(from response: Response) -> Answer { () }
}

extension TypedTargetType where Answer == Response {
    /// The response.
    public func answer(from response: Response) -> Answer { response }
}
