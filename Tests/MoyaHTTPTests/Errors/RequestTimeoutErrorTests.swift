import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPMessages

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The error of a timeout names the part of the request and the limit")
struct RequestTimeoutErrorTests {
    @Test(
        "each kind has a text with the limit",
        arguments: [
            (RequestTimeoutError.Kind.total, "it took longer than its total time of 1.5 s"),
            (.attempt, "an attempt took longer than 1.5 s"),
            (.connect, "no connection was established within 1.5 s"),
            (.pool, "no connection was free within 1.5 s"),
            (.firstByte, "no response began within 1.5 s after the request was sent"),
            (.idle, "nothing was sent or received for 1.5 s"),
        ]
    )
    func texts(kind: RequestTimeoutError.Kind, reason: String) {
        let error = RequestTimeoutError(kind: kind, limit: .milliseconds(1_500))
        #expect(error.localizedDescription == "The request timed out: \(reason).")
        #expect("\(error)" == error.localizedDescription)
        let url = URL(string: "http://user:secret@h/p")
        let wrapped = URLError.timedOut(error, url: url)
        #expect(wrapped.code == .timedOut)
        #expect(wrapped.localizedDescription == error.localizedDescription)
        #expect(wrapped.failingURL?.absoluteString == "http://h/p")
        #expect(wrapped.userInfo[NSUnderlyingErrorKey] as? RequestTimeoutError == error)
        #expect(wrapped.timeout == error)
    }

    @Test("a timeout is found beside another cause, which keeps its place and its text")
    func cause() {
        let timeout = RequestTimeoutError(kind: .pool, limit: .seconds(1))
        let wait = ConnectionWaitError(waited: .seconds(1), server: "http://h", resource: .connection(of: 6))
        let error = URLError.timedOut(timeout, url: nil, reason: wait.description, cause: wait)
        #expect(error.timeout == timeout)
        #expect(error.connectionWait == wait)
        #expect(error.localizedDescription == wait.description)
    }

    @Test("other errors have no timeout")
    func others() {
        let permit = ConcurrencyLimitError(reason: .longWait(.seconds(1)), key: "h", permits: 1, waiting: 0)
        #expect(URLError(.timedOut).timeout == nil)
        #expect(URLError.make(.timedOut, url: nil, cause: permit).timeout == nil)
        #expect(URLError.make(.cancelled, url: nil).adding(nil).timeout == nil)
    }
}
