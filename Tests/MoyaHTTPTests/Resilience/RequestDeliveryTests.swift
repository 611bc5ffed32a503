import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The error of a request shows whether a server may have received it")
struct RequestDeliveryTests {
    private static func error(_ code: URLError.Code, _ cause: (any Error)? = nil) -> URLError {
        .make(code, url: nil, cause: cause)
    }

    private static func wait(for resource: ConnectionWaitError.Resource) -> URLError {
        error(.timedOut, ConnectionWaitError(waited: .seconds(1), server: "http://h.test", resource: resource))
    }

    private static let timeouts: [(RequestTimeoutError.Kind, RequestDelivery)] = [
        (.connect, .notSent), (.pool, .refused), (.firstByte, .unknown), (.idle, .unknown), (.attempt, .unknown),
        (.total, .other),
    ]

    private static func timeout(_ kind: RequestTimeoutError.Kind) -> URLError {
        .timedOut(RequestTimeoutError(kind: kind, limit: .seconds(1)), url: nil)
    }

    private static let cases: [(any Error, RequestDelivery)] = {
        var cases: [(any Error, RequestDelivery)] = [
            (error(.cannotFindHost), .notSent), (error(.dnsLookupFailed), .notSent),
            (error(.cannotConnectToHost), .notSent), (error(.networkConnectionLost), .unknown),
            (error(.timedOut), .unknown), (wait(for: .attempt), .notSent),
            (wait(for: .connection(of: 2)), .refused), (wait(for: .stream(of: 100)), .refused),
            (error(.networkConnectionLost, RequestNotProcessedError()), .notSent),
            (error(.cannotConnectToHost, TransportConfigurationError.invalid(.connectTimeout, reason: "")), .other),
            (error(.cancelled), .other), (error(.secureConnectionFailed), .other),
            (error(.serverCertificateUntrusted), .other), (error(.notConnectedToInternet), .other),
            (error(.badServerResponse), .other), (error(.cannotParseResponse), .other),
            (error(.resourceUnavailable), .other), (CancellationError(), .other),
            (RequestValidationError.invalidURL(""), .other),
            (NSError(domain: NSURLErrorDomain, code: NSURLErrorCannotConnectToHost), .notSent),
            (
                error(
                    .resourceUnavailable,
                    CircuitBreakerError(key: "", since: Date(), until: Date(), refused: 0)
                ), .refused
            ),
            (
                error(
                    .resourceUnavailable,
                    RateLimitError(
                        reason: .queueFull(maximum: 0),
                        key: "",
                        limits: [],
                        isServerLimit: false,
                        waiting: 0,
                        until: Date()
                    )
                ), .refused
            ),
            (
                error(.timedOut, ConcurrencyLimitError(reason: .longWait(.zero), key: "", permits: 1, waiting: 0)),
                .refused
            ),
        ]
        for (kind, expected) in timeouts { cases.append((timeout(kind), expected)) }
        return cases
    }()

    @Test("the delivery of a failed request", arguments: cases.indices)
    func delivery(_ index: Int) {
        let (error, expected) = Self.cases[index]
        #expect(RequestDelivery(after: error) == expected, "\(error)")
    }

    @Test("a request may have arrived unless it was refused or not sent")
    func arrival() {
        #expect(!RequestDelivery.refused.mayHaveArrived && !RequestDelivery.notSent.mayHaveArrived)
        for delivery in [RequestDelivery.unknown, .responded, .other] { #expect(delivery.mayHaveArrived) }
    }
}
