import Foundation

/// What a stub answers.
public enum EndpointSampleResponse: Sendable {
    /// A status code and a body.
    case networkResponse(Int, Data)
    /// A response made to measure, and a body.
    case response(HTTPURLResponse, Data)
    /// No response: the error that the network would have given.
    case networkError(NSError)
}
