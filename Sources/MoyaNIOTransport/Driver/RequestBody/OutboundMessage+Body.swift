#if NIO && !canImport(Darwin)
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat

extension OutboundMessage.Body {
    /// An opened body, with its expectation if it waits for the server.
    typealias Opened = (body: OutboundMessage.Body, expectation: ContinueExpectation?)

    /// Opens the body of a request.
    ///
    /// A body that waits is not sent with the head, even if it is short.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - lengths: The lengths of the body's segments, if its files have been checked.
    ///   - settings: The settings for expectations.
    /// - Returns: The body.
    /// - Throws: ``RequestBodyError``.
    static func open(
        for request: TransportRequest,
        with lengths: HTTPBody.SegmentLengths?,
        expecting settings: ExpectContinueSettings
    ) throws(RequestBodyError) -> Opened {
        guard let body = request.body else { return (.none, nil) }
        let isAsked = request.headers.contains(where: \.isExpectContinue)
        if let data = body.inlineData {
            if data.isEmpty { return (.none, nil) }
            guard isAsked || settings.isLarge(Int64(data.count)) else {
                return (.bytes(ByteBuffer(data: data)), nil)
            }
        }
        let reader = try body.open(with: lengths)
        // A request without content must not have an expectation.
        let expects = reader.length != 0 && (isAsked || settings.isLarge(reader.length))
        return (.reader(reader), expects ? ContinueExpectation(timeout: settings.timeout) : nil)
    }

    /// Opens a body once more, to be sent without an expectation.
    ///
    /// - Throws: ``RequestBodyError``.
    nonisolated(nonsending) static func opening(
        _ body: HTTPBody?
    ) async throws(RequestBodyError) -> OutboundMessage.Body {
        guard let body else { return .none }
        return .reader(try await body.openWithoutBlocking())
    }
}
#endif
