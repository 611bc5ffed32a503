#if RxSwift
    import Foundation
    import Moya
    import RxSwift

    // What a response can be made into, for the response that will come. Response's functions of the same names do it.
    extension ObservableType where Element == Response {
        /// The response if its status code is in the range; otherwise ``MoyaError/statusCode(_:)``.
        public func filter<R: RangeExpression>(statusCodes: R) -> Observable<Response> where R.Bound == Int {
            lift { try $0.filter(statusCodes: statusCodes) }
        }

        /// The response if it has the status code; otherwise ``MoyaError/statusCode(_:)``.
        public func filter(statusCode: Int) -> Observable<Response> {
            lift { try $0.filter(statusCode: statusCode) }
        }

        /// The response if its status code is in 200 to 299; otherwise ``MoyaError/statusCode(_:)``.
        public func filterSuccessfulStatusCodes() -> Observable<Response> {
            lift { try $0.filterSuccessfulStatusCodes() }
        }

        /// The response if its status code is in 200 to 399; otherwise ``MoyaError/statusCode(_:)``.
        public func filterSuccessfulStatusAndRedirectCodes() -> Observable<Response> {
            lift { try $0.filterSuccessfulStatusAndRedirectCodes() }
        }

        /// The data as an image; otherwise ``MoyaError/imageMapping(_:)``.
        public func mapImage() -> Observable<Moya.Image> {
            lift { try $0.mapImage() }
        }

        /// The data as a JSON value; otherwise ``MoyaError/jsonMapping(_:)``.
        ///
        /// - Parameter failsOnEmptyData: Whether a body of no bytes is an error; if not, it gives `NSNull`.
        public func mapJSON(failsOnEmptyData: Bool = true) -> Observable<Any> {
            lift { try $0.mapJSON(failsOnEmptyData: failsOnEmptyData) }
        }

        /// The data as text in UTF-8, or the text at a key path of a JSON object; otherwise
        /// ``MoyaError/stringMapping(_:)``, or ``MoyaError/jsonMapping(_:)`` if there is a key path and no JSON.
        ///
        /// - Parameter keyPath: Names of nested objects, separated by dots.
        public func mapString(atKeyPath keyPath: String? = nil) -> Observable<String> {
            lift { try $0.mapString(atKeyPath: keyPath) }
        }

        /// The data, or the part at a key path, decoded as a type; otherwise ``MoyaError/objectMapping(_:_:)``, or
        /// ``MoyaError/jsonMapping(_:)`` if there is nothing at the key path.
        ///
        /// - Parameters:
        ///   - keyPath: Names of nested objects, separated by dots; an array on the way gives the array of what its
        ///     elements have there.
        ///   - failsOnEmptyData: Whether a body of no bytes is an error; if not, it is decoded as `{}`, then as `[{}]`.
        public func map<D: Decodable>(
            _ type: D.Type,
            atKeyPath keyPath: String? = nil,
            using decoder: JSONDecoder = JSONDecoder(),
            failsOnEmptyData: Bool = true
        ) -> Observable<D> {
            lift { try $0.map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData) }
        }

        /// The data, or the part at a key path, decoded as a type by any decoder; otherwise
        /// ``MoyaError/objectMapping(_:_:)``.
        ///
        /// - Parameters:
        ///   - keyPath: Names of nested dictionaries, separated by dots, for decoders that have key paths.
        ///   - decoder: See `ResponseDecoder` for how to make one of another package's.
        ///   - failsOnEmptyData: Whether a body of no bytes is an error; if not, it is decoded as what it may stand for in
        ///     the decoder's format.
        public func map<D: Decodable>(
            _ type: D.Type,
            atKeyPath keyPath: String? = nil,
            using decoder: some ResponseDecoder,
            failsOnEmptyData: Bool = true
        ) -> Observable<D> {
            lift { try $0.map(type, atKeyPath: keyPath, using: decoder, failsOnEmptyData: failsOnEmptyData) }
        }

        /// The data as whatever a function makes of it, such as a type that decodes itself; otherwise
        /// ``MoyaError/objectMapping(_:_:)`` with the function's error.
        public func map<Value>(
            _ type: Value.Type = Value.self,
            using decode: @escaping (Data) throws -> Value
        ) -> Observable<Value> {
            lift { try $0.map(type, using: decode) }
        }

        /// The response if its status code is in 200 to 299; otherwise what its body says went wrong, in
        /// ``MoyaError/underlying(_:_:)``.
        ///
        /// A response that its target's validation has already refused is looked into as well. If the body doesn't decode,
        /// the failure is what it would be without this.
        ///
        /// - Parameters:
        ///   - failure: The type that such a body decodes as.
        ///   - keyPath: Where in the body it is; the whole body if there is none.
        ///   - decoder: Decodes the body.
        public func filterSuccessfulStatusCodes<BodyFailure: Decodable & Swift.Error & Sendable>(
            orFailWith failure: BodyFailure.Type,
            atKeyPath keyPath: String? = nil,
            using decoder: any ResponseDecoder = JSONDecoder()
        ) -> Observable<Response> {
            liftResult { $0.filterSuccessfulStatusCodes(orFailWith: failure, atKeyPath: keyPath, using: decoder) }
        }
    }

    extension ObservableType where Element == Response {
        /// A function on responses, for the response that will come.
        private func lift<Value>(_ transform: @escaping (Response) throws -> Value) -> Observable<Value> {
            map(transform)
        }

        /// The same for a function that looks at failures, too.
        private func liftResult(
            _ transform: @escaping (Result<Response, MoyaError>) -> Result<Response, MoyaError>
        ) -> Observable<Response> {
            map { Result.success($0) }
                .catch { .just(.failure(MoyaError(wrapping: $0))) }
                .map { try transform($0).get() }
        }
    }
#endif
