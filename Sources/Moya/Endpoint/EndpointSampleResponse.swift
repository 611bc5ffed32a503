import Foundation

/// The response or error of a stub.
public enum EndpointSampleResponse: Sendable {
    /// A status code and a body.
    case networkResponse(Int, Data)
    /// A custom response and a body.
    case response(HTTPURLResponse, Data)
    /// An error in place of a response, as the network would produce it.
    case networkError(NSError)
}
