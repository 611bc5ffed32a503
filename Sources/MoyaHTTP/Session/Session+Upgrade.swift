import Foundation

/// The response to a request for an upgrade to another protocol.
package enum UpgradeResponse: Sendable {
    /// The server has agreed: the body has the bytes of the other protocol that it sends.
    case upgraded(SessionResponse, input: TransportBodyStream)
    /// The server, or a transport without upgrades, has returned an ordinary response, with its body.
    case refused(SessionResponse)
}

extension Session {
    /// Sends a request for an upgrade to another protocol through the pipeline, and returns the response when its head has arrived.
    ///
    /// The ``ProtocolUpgrade/output`` is read only after the server has agreed. Releasing the input, or leaving the loop over it, closes
    /// the connection, or resets the stream over HTTP/2. The input keeps the session's transport.
    ///
    /// The status of an upgrade is accepted, whatever ``RequestSettings/isAccepted`` returns for it: 101, and 200 to 299 over HTTP/2.
    ///
    /// - Parameters:
    ///   - request: A GET without a body, with an `http` or `https` URL.
    ///   - upgrade: The protocol, and the bytes to send.
    ///   - record: The record of the request.
    ///   - settings: The settings of the request.
    /// - Returns: The response; the body of a refusal is read into its data, within ``maximumBodySize``.
    /// - Throws: The errors of ``data(for:body:progress:uploadProgress:)``; ``RequestValidationError/upgradeNotSupported`` if the transport
    ///   does not support upgrades. Reading the input throws `URLError`, or the ``RequestBodyError`` of an output that fails.
    package nonisolated(nonsending) func upgrade(
        _ request: any URLRequestConvertible,
        to upgrade: ProtocolUpgrade,
        record: RequestRecord,
        settings: RequestSettings = RequestSettings()
    ) async throws -> UpgradeResponse {
        let request = UncheckedRequest(try request.asURLRequest())
        var settings = settings
        let isAccepted = settings.isAccepted
        settings.isAccepted = { $0 == 101 || (200..<300).contains($0) || isAccepted($0) }
        let response = try await send(request, record: record, settings: settings, bodyHandling: .upgrade(upgrade))
        let head = record.makeResponse(response, to: request.urlRequest, data: response.bodyInMemory)
        guard response.isUpgraded else { return .refused(head) }
        return .upgraded(head, input: TransportBodyStream(of: response))
    }
}
