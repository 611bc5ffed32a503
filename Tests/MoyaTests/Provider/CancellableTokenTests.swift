import MoyaHTTP
import TestSupport
import Testing

@testable import Moya

@Suite("A token cancels the request that another thread has mapped")
struct CancellableTokenTests {
    @Test("the action of an unmapped request is released when the request is claimed")
    func released() {
        let token = CancellableToken()
        let calls = Recorder<String>()
        token.attachUntilClaimed { calls.add("unmapped") }
        #expect(token.claim())
        token.cancel()
        #expect(calls.values == [])
    }

    @Test("an action that arrives after the claim does not replace that of the running request")
    func late() {
        let token = CancellableToken()
        let calls = Recorder<String>()
        #expect(token.claim())
        token.attach { calls.add("running") }
        token.attachUntilClaimed { calls.add("unmapped") }
        token.cancel()
        #expect(calls.values == ["running"])
    }

    @Test("an action for a token that is already cancelled is called at once, unless the request is claimed")
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
