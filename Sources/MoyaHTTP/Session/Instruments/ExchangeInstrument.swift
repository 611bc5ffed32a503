import HTTPTypes

/// The part of an instrument that observes exchanges: each sending of a request to a server, and its response.
package protocol ExchangeInstrument: Sendable {
    /// Whether the observations need the times of exchanges.
    var needsTimings: Bool { get }

    /// Begins the observation of an exchange, and may add fields to its request.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - fields: The fields of the request, which is sent next.
    /// - Returns: The observation; `nil` if the exchange is not observed.
    func begin(
        _ exchange: borrowing InstrumentedExchange,
        adding fields: inout HTTPFields
    ) -> (any ExchangeObservation)?
}

/// An exchange that begins, as instruments see it.
package struct InstrumentedExchange: Sendable {
    /// The request, with its final URL, fields and body.
    package let request: TransportRequest
    /// The context of the request.
    package let context: RequestContext
    /// The number of earlier exchanges of the request: before redirects, answered challenges, retries and resends.
    package let resendCount: Int
    /// The times of the exchange; `nil` if no instrument needs them.
    package let recorder: ExchangeRecorder?

    /// The low-cardinality template of the URL; `nil` if the target has none.
    package var urlTemplate: String? { (context.target as? any URLTemplateProviding)?.urlTemplate }
}

/// The observation of one exchange by one instrument.
///
/// Its functions are called in their order, on any thread.
package protocol ExchangeObservation: Sendable {
    /// Handles the head of the response.
    func receivedHead(of response: TransportResponse)

    /// Handles the end of the exchange.
    func ended(_ end: ExchangeEnd)
}

/// The end of an exchange.
package enum ExchangeEnd: Sendable {
    /// The body has arrived, with this number of bytes before decoding.
    case finished(bodyBytes: Int64)
    /// The exchange has failed, before the head or in the body, of which this number of bytes had arrived.
    case failed(any Error, bodyBytes: Int64)
    /// The request was cancelled by its caller, its body was not read to the end, or another exchange has made this one superfluous.
    case cancelled(bodyBytes: Int64)
}
