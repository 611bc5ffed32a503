import MoyaHTTP
import TestSupport
import Testing

@testable import Moya

@Suite("A cancellation token has one action before its request is claimed and another action afterwards")
struct CancellableTokenTests {
    @Test("a cancellation token releases the action of an unmapped request when the request is claimed")
    func released() {
        let token = CancellableToken()
        let calls = Recorder<String>()
        token.attachUntilClaimed { calls.add("unmapped") }
        #expect(token.claim())
        token.cancel()
        #expect(calls.values == [])
    }

    @Test("a cancellation token keeps the running request's action if the unmapped request's action arrives later")
    func late() {
        let token = CancellableToken()
        let calls = Recorder<String>()
        #expect(token.claim())
        token.attach { calls.add("running") }
        token.attachUntilClaimed { calls.add("unmapped") }
        token.cancel()
        #expect(calls.values == ["running"])
    }

    @Test("a cancelled token calls a new action immediately, unless the request is claimed")
    func cancelledBefore() {
        let calls = Recorder<String>()
        let token = CancellableToken()
        token.cancel()
        token.attachUntilClaimed { calls.add("unmapped") }
        #expect(calls.values == ["unmapped"])
        #expect(token.claim())
        token.attachUntilClaimed { calls.add("claimed") }
        #expect(calls.values == ["unmapped"])
    }

    private final class Object: Sendable {}

    @Test(
        "a token keeps nothing of an ended request, although its action arrives after the end",
        arguments: [false, true]
    )
    func ended(isCancelled: Bool) {
        let calls = Recorder<String>()
        let token = CancellableToken()
        weak var left: Object?
        do {
            let object = Object()
            left = object
            if isCancelled { token.cancel() }
            token.requestEnded()
            token.attach { calls.add("\(object)") }
        }
        token.cancel()
        #expect(left == nil)
        #expect(calls.values == [])
    }
}
