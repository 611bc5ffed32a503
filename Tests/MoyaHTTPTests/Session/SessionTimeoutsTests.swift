import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The timeouts of an exchange come from the request and the configuration")
struct SessionTimeoutsTests {
    private static let year = Duration.seconds(365 * 24 * 3600)

    @Test(
        "the idle timeout is the request's interval unless it is Foundation's 60 seconds or not positive",
        arguments: [
            (5, .seconds(5)), (0.5, .milliseconds(500)), (59, .seconds(59)), (61, .seconds(61)), (3600, .seconds(3600)),
            (60, .seconds(7)), (0, .seconds(7)), (-0.0, .seconds(7)), (-1, .seconds(7)), (.nan, .seconds(7)),
            (-.infinity, .seconds(7)), (.infinity, year), (1e300, year), (.greatestFiniteMagnitude, year),
        ] as [(TimeInterval, Duration)]
    )
    func request(_ interval: TimeInterval, idle: Duration) {
        let timeouts = SessionTimeouts(request: interval, idle: 7, attempt: 100)
        #expect(timeouts.idle == idle)
        #expect(timeouts.attempt == .seconds(100))
    }

    @Test(
        "a configuration's timeout that is not positive becomes a year, which means no limit",
        arguments: [
            (5, .seconds(5)), (60, .seconds(60)), (0.25, .milliseconds(250)), (604_800, .seconds(604_800)),
            (0, year), (-1, year), (.nan, year), (.infinity, year), (-.infinity, year), (1e300, year),
        ] as [(TimeInterval, Duration)]
    )
    func configuration(_ interval: TimeInterval, limit: Duration) {
        #expect(SessionTimeouts(request: 60, idle: interval, attempt: 100).idle == limit)
        #expect(SessionTimeouts(request: 60, idle: 100, attempt: interval).attempt == limit)
        #expect(SessionTimeouts(request: 5, idle: interval, attempt: 100).idle == .seconds(5))
    }

    @Test("the idle timeout of an unchanged request comes from the configuration")
    func foundationDefault() throws {
        let request = URLRequest(url: try #require(URL(string: "http://h")))
        #expect(SessionTimeouts(request: request.timeoutInterval, idle: 7, attempt: 8).idle == .seconds(7))
    }

    @Test(
        "a timeout of any number of seconds is clamped to a valid duration",
        arguments: [
            (0, .zero), (-0.0, .zero), (-5, .zero), (.nan, .zero), (-.infinity, .zero), (-1e300, .zero),
            (1e-300, .zero), (0.001, .milliseconds(1)), (1.5, .milliseconds(1_500)), (86_400, .seconds(86_400)),
            (31_536_000, year), (31_536_001, year), (1e18, year), (1e300, year), (.infinity, year),
            (.greatestFiniteMagnitude, year),
        ] as [(TimeInterval, Duration)]
    )
    func clamping(_ seconds: TimeInterval, duration: Duration) {
        #expect(Duration(clampingSeconds: seconds) == duration)
    }
}
