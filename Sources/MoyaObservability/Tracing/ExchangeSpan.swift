#if Observability
import Foundation
import MoyaHTTP
import MoyaLocks
import MoyaSecretMasking
import Tracing

/// The span of one exchange.
final class ExchangeSpan: ExchangeObservation {
    private let span: any Span
    private let rules: SpanAttributeRules
    private let extent: ExchangeExtent
    private let requestBody: HTTPBody?
    private let recorder: ExchangeRecorder?
    private let hasEnded = InlineLocked(false)

    init(
        _ span: any Span,
        of exchange: borrowing InstrumentedExchange,
        _ rules: SpanAttributeRules,
        extent: ExchangeExtent
    ) {
        (self.span, self.rules, self.extent) = (span, rules, extent)
        (requestBody, recorder) = (exchange.request.body, exchange.recorder)
    }

    func receivedHead(of response: TransportResponse) {
        span.updateAttributes { attributes in
            rules.add(response, to: &attributes)
            guard extent == .head else { return }
            addRequestBodySize(to: &attributes)
            rules.add(responseBodySize: response.sizeAtHead, to: &attributes)
        }
        if response.status >= 400 { span.setStatus(SpanStatus(code: .error)) }
        if extent == .head { end() }
    }

    func ended(_ exchangeEnd: ExchangeEnd) {
        // A span that has ended with the head has all its attributes.
        guard !hasEnded.withLock({ $0 }) else { return }
        span.updateAttributes { attributes in
            addRequestBodySize(to: &attributes)
            switch exchangeEnd {
            case .finished(let size), .cancelled(let size):
                if size > 0 || attributes["http.response.status_code"] != nil {
                    rules.add(responseBodySize: size, to: &attributes)
                }
            case .failed(let error, let size):
                rules.add(error, to: &attributes)
                if size > 0 { rules.add(responseBodySize: size, to: &attributes) }
            }
            // Without a response, only the transport's report has the connection.
            if attributes["http.response.status_code"] == nil, let connection = recorder?.timings.connection {
                rules.add(version: connection.httpVersion, address: connection.remoteAddress, to: &attributes)
            }
        }
        // A cancellation is not an error.
        if case .failed(let error, _) = exchangeEnd {
            span.setStatus(SpanStatus(code: .error, message: error.maskedSummary))
        }
        end()
    }

    private func addRequestBodySize(to attributes: inout SpanAttributes) {
        rules.add(requestBody: requestBody, sent: recorder?.timings.bytes.requestBody, to: &attributes)
    }

    private func end() {
        hasEnded.withLock { $0 = true }
        span.end()
    }
}

extension TransportResponse {
    /// The number of bytes of the body, as far as it is known when the head arrives.
    fileprivate var sizeAtHead: Int64? {
        if case .complete(let data) = body { return Int64(data.count) }
        return headers[.contentLength].flatMap { Int64($0) }
    }
}

extension Error {
    /// The text of the error, without secrets and on one line.
    var maskedSummary: String {
        SecretMask.standard.maskingQueries(in: localizedDescription)
            .split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
#endif
