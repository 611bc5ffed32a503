#if ReactiveSwift
import Foundation
import Moya
import ReactiveSwift

// These operators apply the mappings of Response to the response of the producer.
extension SignalProducerProtocol where Value == Response, Error == MoyaError {
    /// Passes the response if its status code is in the range; otherwise fails with ``MoyaError/statusCode(_:)``.
    public func filter<R: RangeExpression>(statusCodes: R) -> SignalProducer<Response, MoyaError>
    where R.Bound == Int {
        lift { try $0.filter(statusCodes: statusCodes) }
    }

    /// Passes the response if it has the status code; otherwise fails with ``MoyaError/statusCode(_:)``.
    public func filter(statusCode: Int) -> SignalProducer<Response, MoyaError> {
        lift { try $0.filter(statusCode: statusCode) }
    }

    /// Passes the response if its status code is in 200 to 299; otherwise fails with
    /// ``MoyaError/statusCode(_:)``.
    public func filterSuccessfulStatusCodes() -> SignalProducer<Response, MoyaError> {
        lift { try $0.filterSuccessfulStatusCodes() }
    }

    /// Passes the response if its status code is in 200 to 399; otherwise fails with
    /// ``MoyaError/statusCode(_:)``.
    public func filterSuccessfulStatusAndRedirectCodes() -> SignalProducer<Response, MoyaError> {
        lift { try $0.filterSuccessfulStatusAndRedirectCodes() }
    }

    /// Maps the data to an image, or fails with ``MoyaError/imageMapping(_:)``.
    public func mapImage() -> SignalProducer<Moya.Image, MoyaError> {
        lift { try $0.mapImage() }
    }

    /// Maps the data to a JSON value: see `Response.mapJSON(failsOnEmptyData:)`.
    public func mapJSON(failsOnEmptyData: Bool = true) -> SignalProducer<Any, MoyaError> {
        lift { try $0.mapJSON(failsOnEmptyData: failsOnEmptyData) }
    }

    /// Maps the data to text, or to the text at a key path: see `Response.mapString(atKeyPath:)`.
    public func mapString(atKeyPath keyPath: String? = nil) -> SignalProducer<String, MoyaError> {
        lift { try $0.mapString(atKeyPath: keyPath) }
    }

    /// Decodes the data, or the part at a key path: see `Response.map(_:atKeyPath:using:failsOnEmptyData:)`.
    ///
    /// It decodes on the thread of the response, so a conformance that is isolated to the main actor is refused.
    @preconcurrency
    public func map<D: Decodable & SendableMetatype>(
        _ type: D.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: JSONDecoder = JSONDecoder(),
        failsOnEmptyData: Bool = true
    ) -> SignalProducer<D, MoyaError> {
        lift { try $0.map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData) }
    }

    /// Decodes the data, or the part at a key path, with any decoder: see
    /// `Response.map(_:atKeyPath:using:failsOnEmptyData:)`.
    @preconcurrency
    public func map<D: Decodable & SendableMetatype>(
        _ type: D.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: some ResponseDecoder,
        failsOnEmptyData: Bool = true
    ) -> SignalProducer<D, MoyaError> {
        lift { try $0.map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData) }
    }

    /// Maps the data with a function, such as the initializer of a type that decodes itself: see `Response.map(_:using:)`.
    public func map<Value>(
        _ type: Value.Type = Value.self,
        using decode: @escaping (Data) throws -> Value
    ) -> SignalProducer<Value, MoyaError> {
        lift { try $0.map(type, using: decode) }
    }

    /// Passes the response if its status code is in 200 to 299; otherwise fails with the error that its body
    /// describes.
    ///
    /// The decoded error is in ``MoyaError/underlying(_:_:)``. The body of a response that its target's
    /// validation has rejected is decoded as well. If the body cannot be decoded, the failure is the error of
    /// `filterSuccessfulStatusCodes()` or of the validation.
    ///
    /// - Parameters:
    ///   - failure: The type that error bodies decode as.
    ///   - keyPath: The location of the error in the body; `nil` for the whole body.
    ///   - decoder: Decodes the body.
    /// - Returns: A producer of the response.
    public func filterSuccessfulStatusCodes<BodyFailure: Decodable & Swift.Error & Sendable>(
        orFailWith failure: BodyFailure.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: any ResponseDecoder = JSONDecoder()
    ) -> SignalProducer<Response, MoyaError> {
        liftResult { $0.filterSuccessfulStatusCodes(orFailWith: failure, atKeyPath: keyPath, using: decoder) }
    }

    /// Passes the response if its status code is in 200 to 299; otherwise fails with the error that its body
    /// describes, as ``filterSuccessfulStatusCodes(orFailWith:atKeyPath:using:)`` does.
    public func filterSuccessfulStatusCodes<BodyFailure: Decodable & Swift.Error & Sendable>(
        orThrow failure: BodyFailure.Type,
        atKeyPath keyPath: String? = nil,
        using decoder: any ResponseDecoder = JSONDecoder()
    ) -> SignalProducer<Response, MoyaError> {
        filterSuccessfulStatusCodes(orFailWith: failure, atKeyPath: keyPath, using: decoder)
    }
}

extension SignalProducerProtocol where Value == Response, Error == MoyaError {
    /// Applies a function to the response; its errors become `MoyaError`s.
    private func lift<Mapped>(
        _ transform: @escaping (Response) throws -> Mapped
    ) -> SignalProducer<Mapped, MoyaError> {
        producer.attemptMap { response in
            Result { try transform(response) }.mapError { MoyaError(wrapping: $0) }
        }
    }

    /// Applies a function to the response or the failure.
    private func liftResult(
        _ transform: @escaping (Result<Response, MoyaError>) -> Result<Response, MoyaError>
    ) -> SignalProducer<Response, MoyaError> {
        producer.map { Result.success($0) }
            .flatMapError { SignalProducer<Result<Response, MoyaError>, MoyaError>(value: .failure($0)) }
            .attemptMap(transform)
    }
}
#endif
