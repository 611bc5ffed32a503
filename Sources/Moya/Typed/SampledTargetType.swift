import Foundation

/// A typed target whose stubs answer with a value instead of bytes.
///
///     extension GetUser: SampledTargetType {
///         var sampleAnswer: User { User(login: "ashfurrow") }
///     }
///
///     let provider = MoyaProvider<GetUser>(stubClosure: MoyaProvider.immediatelyStub)
///     let user = try await provider.request(GetUser(name: "anybody"))  // the sample
///
/// The value is encoded as a server would send it, and decoded as what a server sends.
@preconcurrency
public protocol SampledTargetType<Answer>: TypedTargetType where Answer: Encodable {
    /// What a stub answers.
    var sampleAnswer: Answer { get }

    /// Encodes the sample; it must suit ``TypedTargetType/decoder``. `JSONEncoder()`, unless you say otherwise.
    var sampleEncoder: JSONEncoder { get }

    /// The body that a server would send with the sample. For another format than JSON write it yourself:
    ///
    ///     func sampleBody() throws -> Data { try PropertyListEncoder().encode(sampleAnswer) }
    ///
    /// - Throws: Any error; the stub fails with it in ``MoyaError/encodableMapping(_:)``.
    func sampleBody() throws -> Data
}

extension SampledTargetType {
    /// An encoder for JSON.
    public var sampleEncoder: JSONEncoder { JSONEncoder() }

    /// The sample in JSON, at ``TypedTargetType/answerKeyPath`` if there is one. Without one, `Data` and `String` are the
    /// body as they are.
    ///
    /// - Throws: The encoder's error.
    public func sampleBody() throws -> Data {
        guard let answerKeyPath else {
            // As they are read: see Response.answer.
            if Data() is Answer { return sampleAnswer as? Data ?? Data() }
            if "" is Answer { return Data((sampleAnswer as? String ?? "").utf8) }
            return try sampleEncoder.encode(sampleAnswer)
        }
        return try JSONKeyPath(answerKeyPath).nesting(try sampleEncoder.encode(sampleAnswer))
    }

    /// The body of the sample; no data if it can't be encoded, of which the provider's own endpoint tells the reason.
    public var sampleData: Data { (try? sampleBody()) ?? Data() }

    /// Why the sample can't be encoded, if it can't.
    fileprivate var sampleFailure: MoyaError? {
        do {
            _ = try sampleBody()
            return nil
        } catch {
            return MoyaError.encodableMapping(error).naming(self, property: "sampleAnswer")
        }
    }
}

extension TargetType {
    /// What the default endpoint's stub answers: 200 with the sample data, or why there is none.
    var sampleResponse: EndpointSampleResponse {
        let data = sampleData
        if data.isEmpty, let failure = (innermost as? any SampledTargetType)?.sampleFailure { return .failure(failure) }
        return .networkResponse(200, data)
    }
}
