import Foundation
import MoyaHTTP
import Testing

@Suite("Errors of streams name the problem and a remedy")
struct StreamErrorTests {
    static let texts: [(any LocalizedError & Sendable, String)] = [
        (
            StreamLimitError.lineTooLong(limit: 65_536),
            "The stream has a line of more than 65536 bytes: raise the limit if such lines are expected."
        ),
        (
            StreamLimitError.eventTooLarge(limit: 1),
            "The stream has an event with more than 1 bytes of data: raise the limit if such events are expected."
        ),
        (
            EventStreamError.unexpectedStatus(503),
            "The server responded to the request for an event stream with status 503 instead of 200."
        ),
        (
            EventStreamError.unexpectedContentType(nil),
            "The response has no Content-Type: the type of an event stream must be text/event-stream."
        ),
        (
            EventStreamError.unexpectedContentType("text/html; charset=utf-8"),
            "The response's Content-Type is \"text/html; charset=utf-8\": "
                + "the type of an event stream must be text/event-stream."
        ),
        (
            EventStreamError.tooManyFailures(1),
            "The connection to the event stream has failed once: "
                + "check the network and the server, or let the reconnection policy allow more failures."
        ),
        (
            EventStreamError.tooManyFailures(6),
            "The connection to the event stream has failed 6 times in a row: "
                + "check the network and the server, or let the reconnection policy allow more failures."
        ),
    ]

    @Test("the text of a stream error states the problem and the remedy in one sentence", arguments: texts)
    func text(_ error: any LocalizedError & Sendable, text: String) {
        #expect(error.errorDescription == text)
        #expect((error as any Error).localizedDescription == text)
    }

    @Test("stream errors are equal by case and payload")
    func equality() {
        let limits: [StreamLimitError] = [.lineTooLong(limit: 1), .lineTooLong(limit: 2), .eventTooLarge(limit: 1)]
        let ends: [EventStreamError] = [
            .unexpectedStatus(1), .unexpectedStatus(2), .unexpectedContentType(nil), .unexpectedContentType("a"),
            .unexpectedContentType(""), .tooManyFailures(1), .tooManyFailures(2),
        ]
        for (index, error) in limits.enumerated() { #expect(limits.firstIndex(of: error) == index) }
        for (index, error) in ends.enumerated() { #expect(ends.firstIndex(of: error) == index) }
    }
}
