import Foundation

/// Converts the values that URLSession returns to a result.
///
/// A response without an error is a success. An error is a failure in ``MoyaError/underlying(_:_:)``, with the
/// response if there is one. If both are missing, the failure is `NSURLErrorUnknown`.
public func convertResponseToResult(
    _ response: HTTPURLResponse?,
    request: URLRequest?,
    data: Data?,
    error: (any Swift.Error)?
) -> Result<Moya.Response, MoyaError> {
    let converted = response.map {
        Response(statusCode: $0.statusCode, data: data ?? Data(), request: request, response: $0)
    }
    switch (converted, error) {
    case (let converted?, nil): return .success(converted)
    case (let converted, let error?): return .failure(.underlying(error, converted))
    case (nil, nil): return .failure(.underlying(URLError.make(.unknown, url: request?.url), nil))
    }
}
