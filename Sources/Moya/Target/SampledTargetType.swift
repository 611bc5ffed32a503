import Foundation
import MoyaJSON

/// A typed target whose stubs return a value instead of bytes.
///
///     extension GetUser: SampledTargetType {
///         var sampleOutput: User { User(login: "ashfurrow") }
///     }
///
///     let provider = MoyaProvider<GetUser>(stubClosure: MoyaProvider.immediatelyStub)
///     let user = try await provider.request(GetUser(name: "anybody"))  // the sample
///
/// The value is encoded as a server would encode it, and decoded like a response of the server.
@preconcurrency
public protocol SampledTargetType<Output>: TypedTargetType where Output: Encodable {
    /// The output of a stubbed request.
    var sampleOutput: Output { get }

    /// Encodes the sample in a form that ``TypedTargetType/decoder`` decodes; `JSONEncoder()` by default.
    var sampleEncoder: JSONEncoder { get }

    /// Returns the body that a server would send for the sample; implement it for formats other than JSON:
    ///
    ///     func sampleBody() throws -> Data { try PropertyListEncoder().encode(sampleOutput) }
    ///
    /// - Throws: Any error; the stub fails with it in ``MoyaError/encodableMapping(_:)``.
    func sampleBody() throws -> Data
}

extension SampledTargetType {
    /// A JSON encoder with default settings.
    public var sampleEncoder: JSONEncoder { JSONEncoder() }

    /// Returns the sample as JSON, nested at ``TypedTargetType/outputKeyPath`` if there is one.
    ///
    /// Without a key path, a sample of type `Data` or `String` is the unchanged body.
    ///
    /// - Throws: The encoder's error.
    public func sampleBody() throws -> Data {
        guard let outputKeyPath else {
            // This reverses Response.output.
            if Data() is Output { return sampleOutput as? Data ?? Data() }
            if "" is Output { return Data((sampleOutput as? String ?? "").utf8) }
            return try sampleEncoder.encode(sampleOutput)
        }
        return try JSONKeyPath(outputKeyPath).nesting(try sampleEncoder.encode(sampleOutput))
    }

    /// The body of the sample; empty if it cannot be encoded, which the provider's default endpoint reports.
    public var sampleData: Data { declaredMembers.sampleData(of: self) ?? (try? sampleBody()) ?? Data() }

    /// The error of encoding the sample, if any.
    fileprivate var sampleFailure: MoyaError? {
        do {
            _ = try sampleBody()
            return nil
        } catch {
            return MoyaError.encodableMapping(error).naming(self, property: "sampleOutput")
        }
    }
}

extension TargetType {
    /// The stub of the default endpoint: 200 with the sample data, or the error of encoding it.
    var sampleResponse: EndpointSampleResponse {
        let data = sampleData
        if data.isEmpty, let failure = (innermost as? any SampledTargetType)?.sampleFailure { return .failure(failure) }
        return .networkResponse(200, data)
    }
}
