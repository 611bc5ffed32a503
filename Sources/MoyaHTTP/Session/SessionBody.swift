import Foundation

extension TransportBodyStream {
    /// The same body, as a session hands it over: it keeps the transport that it comes from until it has been read to its
    /// end or its error, or is dropped; and a cancellation is an `URLError`, whatever the transport throws.
    func keeping(_ transport: (any HTTPTransport)?, url: URL?) -> TransportBodyStream {
        let transport = Locked(transport)
        let iterator = Locked<TransportBodyStream.Iterator?>(makeAsyncIterator())
        return TransportBodyStream {
            // After the end there is nothing to be read, whatever becomes of the transport.
            guard var reader = iterator.withLock({ $0 }) else { return nil }
            do {
                if let chunk = try await reader.next() { return chunk }
                iterator.withLock { $0 = nil }
                transport.release()
                return nil
            } catch {
                iterator.withLock { $0 = nil }
                transport.release()
                throw error.asCancellation(of: url)
            }
        }
    }
}

extension Locked where Value == (any HTTPTransport)? {
    /// Lets go of the transport, not under the lock: its end runs code of its own.
    fileprivate func release() {
        _ = withLock { transport in
            defer { transport = nil }
            return transport
        }
    }
}
