import Foundation

/// Prepares the request of each attempt for the creator of the request: a provider passes it through its plugins.
package protocol RequestPreparation: Sendable {
    /// Returns the request to send.
    ///
    /// - Parameters:
    ///   - request: The request of an attempt, after the adapters.
    ///   - record: The record of the request.
    /// - Returns: The prepared request.
    /// - Throws: The error that the attempt fails with.
    func prepare(_ request: URLRequest, record: RequestRecord) throws -> URLRequest
}
