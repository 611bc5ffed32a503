import Foundation
import Testing

@testable import MoyaHTTP

@Suite("An interrupted download continues after transient errors")
struct DownloadInterruptionsTests {
    @Test(
        "a download continues immediately after transient errors",
        arguments: [
            .networkConnectionLost, .timedOut, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
            .notConnectedToInternet,
        ] as [URLError.Code]
    )
    func worthResuming(_ code: URLError.Code) {
        var interruptions = DownloadInterruptions()
        #expect(interruptions.handleFailure(code, length: 1) == .resume)
    }

    @Test(
        "a download does not continue after permanent errors",
        arguments: [
            .cancelled, .userCancelledAuthentication, .secureConnectionFailed, .serverCertificateUntrusted,
            .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
            .clientCertificateRejected, .clientCertificateRequired, .badServerResponse, .cannotParseResponse,
            .cannotDecodeContentData, .cannotDecodeRawData, .dataLengthExceedsMaximum, .httpTooManyRedirects, .badURL,
            .unsupportedURL, .userAuthenticationRequired, .cannotWriteToFile, .unknown,
        ] as [URLError.Code]
    )
    func notWorthResuming(_ code: URLError.Code) {
        var interruptions = DownloadInterruptions()
        #expect(interruptions.handleFailure(code, length: 1_000_000) == .giveUp)
    }

    /// The length of the file after each attempt, and the verdict about the last one; earlier ones are to resume.
    static let table: [(start: Int64, lengths: [Int64], last: DownloadInterruptions.Decision)] = [
        (0, [0], .giveUp),
        (0, [1], .resume),
        (0, [1, 1], .giveUp),
        (0, [1_000_000, 1_000_000], .giveUp),
        // Bytes from before the call do not count.
        (500, [500], .giveUp),
        (500, [501], .resume),
        // A shorter file counts as no progress.
        (500, [100], .giveUp),
        // At most five short attempts in a row are allowed.
        (0, [1, 2, 3, 4, 5], .resume),
        (0, [1, 2, 3, 4, 5, 6], .giveUp),
        (0, [65_535, 131_070, 196_605, 262_140, 327_675, 393_210], .giveUp),
        // A long attempt resets the count.
        (0, [1, 2, 3, 4, 5, 65_541, 65_542, 65_543, 65_544, 65_545, 65_546], .resume),
        (0, [1, 2, 3, 4, 5, 65_541, 65_542, 65_543, 65_544, 65_545, 65_546, 65_547], .giveUp),
        (0, (1...100).map { $0 * 65_536 }, .resume),
    ]

    @Test("a download continues while bytes arrive, and gives up after several short attempts", arguments: table)
    func gain(_ row: (start: Int64, lengths: [Int64], last: DownloadInterruptions.Decision)) {
        var failing = DownloadInterruptions(length: row.start)
        var ending = DownloadInterruptions(length: row.start)
        for (index, length) in row.lengths.enumerated() {
            let verdict = index == row.lengths.count - 1 ? row.last : .resume
            #expect(failing.handleFailure(.networkConnectionLost, length: length) == verdict, "attempt \(index)")
            #expect(ending.handleShortResponse(length: length) == verdict, "attempt \(index)")
        }
    }

    @Test("a download counts the attempts after a restart from zero")
    func startedOver() {
        var interruptions = DownloadInterruptions(length: 1_000_000)
        #expect(interruptions.handleRestart() == .resume)
        #expect(interruptions.handleFailure(.timedOut, length: 1) == .resume)
        #expect(interruptions.handleRestart() == .resume)
        #expect(interruptions.handleFailure(.timedOut, length: 0) == .giveUp)
    }

    @Test("a download restarts a limited number of times, with growing delays")
    func restarts() {
        var interruptions = DownloadInterruptions()
        var delays = [interruptions.delay]
        for _ in 0..<DownloadInterruptions.maximumRestarts {
            #expect(interruptions.handleRestart() == .resume)
            #expect(interruptions.handleFailure(.networkConnectionLost, length: 1_000_000) == .resume)
            delays.append(interruptions.delay)
        }
        #expect(delays == [.zero, .milliseconds(500), .seconds(1), .seconds(2), .seconds(4)])
        #expect(interruptions.handleRestart() == .giveUp)
    }

    @Test(
        "a download sends a bounded number of requests to a server that fails each attempt",
        arguments: [Int64(0), 1, 65_535]
    )
    func ends(_ gain: Int64) {
        var interruptions = DownloadInterruptions()
        var length: Int64 = 0
        var attempts = 0
        repeat {
            length += gain
            attempts += 1
        } while interruptions.handleFailure(.networkConnectionLost, length: length) == .resume && attempts < 1_000
        #expect(attempts == (gain == 0 ? 1 : 6))
    }
}
