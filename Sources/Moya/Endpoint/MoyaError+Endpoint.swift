import Foundation

extension MoyaError {
    /// Returns the error with the request of an endpoint in its text.
    func describing(_ endpoint: Endpoint) -> MoyaError {
        guard case .underlying(let error as URLError, let response) = self else { return self }
        return .underlying(error.describing(method: endpoint.method.rawValue, url: URL(string: endpoint.url)), response)
    }
}
