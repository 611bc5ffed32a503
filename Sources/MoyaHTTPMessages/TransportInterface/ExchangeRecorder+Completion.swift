import Foundation

extension ExchangeRecorder {
    /// Records the parts of a response that its transport has not recorded itself: now, or while the body is read.
    ///
    /// - Returns: The response, whose body is observed if it is a stream of such a transport.
    package func completing(_ response: TransportResponse) -> TransportResponse {
        guard timings.responseHead == nil else { return response }
        record(.responseHead(status: response.status, bytes: nil))
        // The size of a body that the transport has decoded is not the size on the connection.
        let hasReceivedSize = !(response.isDecoded && response.fields.contains(.contentEncoding))
        var response = response
        switch response.body {
        case .complete(let data):
            record(.responseEnded(bodyBytes: hasReceivedSize ? Int64(data.count) : nil))
        case .stream(let stream):
            let rest = response.rest
            response.body = .stream(
                stream.observed { chunk in
                    if hasReceivedSize { self.count(chunk.count, in: .responseBody) }
                } onEnd: { error in
                    self.record(error == nil ? .responseEnded(bodyBytes: nil) : .failed)
                }
            )
            response.rest = rest
        }
        return response
    }
}
