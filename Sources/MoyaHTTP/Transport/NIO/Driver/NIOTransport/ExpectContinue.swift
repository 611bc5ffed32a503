#if NIO && !canImport(Darwin)
    import Foundation
    import FoundationNetworking
    import HTTPTypes
    import NIOCore
    import NIOFoundationCompat

    /// The settings of a transport for requests that expect `100 (Continue)` (RFC 9110, section 10.1.1).
    struct ExpectContinue: Sendable {
        /// ``TransportConfiguration/expectContinueSize``.
        let size: Int64?
        /// ``TransportConfiguration/expectContinueTimeout``.
        let timeout: Duration

        init(_ configuration: TransportConfiguration) {
            size = configuration.expectContinueSize
            timeout = min(configuration.expectContinueTimeout, .longestTimeout)
        }

        /// Opens the body of a request, and returns it with its expectation, if it has one.
        ///
        /// A body that waits is not sent with the head, even if it is short.
        ///
        /// - Throws: ``RequestBodyError``.
        func open(
            _ request: TransportRequest
        ) throws(RequestBodyError) -> (body: OutboundMessage.Body, expectation: OutboundRequest.Expectation?) {
            guard let body = request.body else { return (.none, nil) }
            let isAsked = request.headers.contains(where: \.isExpectContinue)
            if let data = body.inlineData {
                if data.isEmpty { return (.none, nil) }
                guard isAsked || isLarge(Int64(data.count)) else { return (.bytes(ByteBuffer(data: data)), nil) }
            }
            let reader = try body.open()
            // A request without content must not have an expectation.
            let expects = reader.length != 0 && (isAsked || isLarge(reader.length))
            return (.reader(reader), expects ? OutboundRequest.Expectation(timeout: timeout) : nil)
        }

        /// Sends a request with an expectation, and sends it again without one, once, if the server refuses that (417).
        ///
        /// The body of the response counts among the running requests.
        ///
        /// - Throws: `URLError`, or the ``RequestBodyError`` of the body.
        @inline(never)
        static nonisolated(nonsending) func send(
            _ outbound: OutboundRequest,
            for request: TransportRequest,
            on pool: ConnectionPool,
            counting running: RunningRequests
        ) async throws -> TransportResponse {
            guard let response = try await response(to: outbound, for: request, on: pool) else {
                var request = request
                request.headers.removeAll(where: \.isExpectContinue)
                request.totalTimeout -= outbound.exchange.elapsed
                guard request.totalTimeout > .zero else { throw URLError.timedOut(.tookTooLong, url: request.url) }
                request.onConnect = nil
                request.isResent = true
                // If the transport has begun to read the body, the body is repeatable: see `response(to:for:on:)`.
                let begun = outbound.expectation?.hasBegunBody ?? true
                let body = try begun ? request.body.map { .reader(try $0.open()) } ?? .none : outbound.message.body
                let exchange = Exchange(request)
                let again = try pool.makeRequest(request, body: body, exchange: exchange)
                let response = try await exchange.response { pool.start(again) }
                running.countBody(of: response, exchange)
                return response
            }
            running.countBody(of: response, outbound.exchange)
            return response
        }

        /// Returns the response; `nil` for a 417 after which the request can be sent again.
        ///
        /// The 417 response is released first, because its body may occupy the only connection that is allowed.
        private static nonisolated(nonsending) func response(
            to outbound: OutboundRequest,
            for request: TransportRequest,
            on pool: ConnectionPool
        ) async throws -> TransportResponse? {
            var response = try await outbound.exchange.response { pool.start(outbound) }
            guard response.status == 417 else { return response }
            let isUnread = outbound.expectation?.hasBegunBody == false
            guard isUnread || request.body?.isRepeatable ?? true else { return response }
            await response.dropBody()
            return nil
        }

        private func isLarge(_ length: Int64?) -> Bool { size.map { length ?? .max >= $0 } ?? false }
    }
#endif
