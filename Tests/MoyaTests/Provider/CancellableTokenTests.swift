import MoyaHTTP
import TestSupport
import Testing

@testable import Moya

@Suite("A token whose request another thread has mapped")
struct CancellableTokenTests {
    @Test("releases the action of an unmapped request when the request is claimed")
    func released() {
        let token = CancellableToken()
        let calls = Recorder<String>()
        token.attachUntilClaimed { calls.add("unmapped") }
        #expect(token.claim())
        token.cancel()
        #expect(calls.values == [])
    }

    @Test("keeps the running request's action when another one arrives after the claim")
    func late() {
        let token = CancellableToken()
        let calls = Recorder<String>()
        #expect(token.claim())
        token.attach { calls.add("running") }
        token.attachUntilClaimed { calls.add("unmapped") }
        token.cancel()
        #expect(calls.values == ["running"])
    }

    @Test("calls an action immediately if it is already cancelled, unless the request is claimed")
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
}
