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
    /// - Throws: ``RequestBodyError``.
    static func open(
        for request: TransportRequest,
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
        let reader = try body.open()
        // A request without content must not have an expectation.
        let expects = reader.length != 0 && (isAsked || settings.isLarge(reader.length))
        return (.reader(reader), expects ? ContinueExpectation(timeout: settings.timeout) : nil)
    }
}
#endif
