#if NIO && !canImport(Darwin)
import NIOCore
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("The texts of HTTP/2 errors quote the server")
struct HTTP2ErrorTests {
    @Test(
        "the debug data of a GOAWAY is quoted with secrets masked",
        arguments: [
            ("calm down", "calm down"), ("too_many\r\nrequests: 5 > 4", "too_many  requests: 5 > 4"),
            ("token=5ecret", "token=***"), ("expired token=5ecret", "expired token=***"),
            ("limit=5&api_key=5ecret&path=/a", "limit=5&api_key=***&path=/a"),
            ("see /limits?access_token=5ecret", "see /limits?access_token=***"),
            ("see https://user:5ecret@h.test/a", "see https://h.test/a"),
            (#"{"error":"limit","token":"5ecret"}"#, #"{"error":"limit","token":"***"}"#),
        ]
    )
    func debugData(_ data: String, _ quoted: String) {
        let error = HTTP2Error.goAway(.enhanceYourCalm, debugData: ByteBuffer(string: data))
        #expect(error.text == "The server has ended the connection: \"\(quoted)\"")
    }

    @Test("the text for a GOAWAY without debug data has no quotation")
    func noDebugData() {
        let error = HTTP2Error.goAway(.noError, debugData: ByteBuffer())
        #expect(error.text == "The server has ended the connection.")
    }
}
#endif
