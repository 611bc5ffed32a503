import Foundation
import Testing

@testable import MoyaWebSockets

@Suite("Close frames have a code and a reason (RFC 6455, sections 5.5.1 and 7.4)")
struct WebSocketClosureTests {
    @Test(
        "codes that a close frame may have",
        arguments: [
            (UInt16(0), false), (999, false), (1000, true), (1001, true), (1002, true), (1003, true), (1004, false),
            (1005, false),
            (1006, false), (1007, true), (1011, true), (1012, true), (1014, true), (1015, false), (1016, false),
            (1100, false),
            (2000, false), (2999, false), (3000, true), (3999, true), (4000, true), (4999, true), (5000, false),
            (65_535, false),
        ]
    )
    func codes(_ number: UInt16, _ isValid: Bool) throws {
        let code = WebSocketCloseCode(rawValue: number)
        #expect(code.isValidInFrame == isValid)
        let payload = Data([UInt8(number >> 8), UInt8(number & 0xFF)])
        if isValid {
            #expect(try WebSocketClosure(payload: payload) == WebSocketClosure(code))
            #expect(WebSocketClosure(code).payload == payload)
        } else {
            #expect(throws: WebSocketError.protocolViolation(.invalidCloseCode(number))) {
                try WebSocketClosure(payload: payload)
            }
            #expect(throws: WebSocketError.invalidCloseCode(code)) { try WebSocketClosure(code, reason: "a").check() }
        }
    }

    @Test(
        "payloads of received close frames",
        arguments: [
            ([UInt8](), Result<WebSocketClosure, WebSocketError>.success(WebSocketClosure(.noStatus))),
            ([0x03], .failure(.protocolViolation(.invalidClosePayload))),
            ([0x03, 0xE8], .success(WebSocketClosure(.normal))),
            ([0x03, 0xE9] + Array("Bye 🎉".utf8), .success(WebSocketClosure(.goingAway, reason: "Bye 🎉"))),
            ([0x03, 0xE8, 0xCE], .failure(.protocolViolation(.invalidUTF8))),
            ([0x03, 0xE8, 0xED, 0xA0, 0x80], .failure(.protocolViolation(.invalidUTF8))),
            (
                [0x03, 0xE8] + [UInt8](repeating: 0x2A, count: 123),
                .success(WebSocketClosure(.normal, reason: String(repeating: "*", count: 123)))
            ),
        ]
    )
    func payloads(_ payload: [UInt8], _ expected: Result<WebSocketClosure, WebSocketError>) throws {
        let result = Result { () throws(WebSocketError) in try WebSocketClosure(payload: Data(payload)) }
        #expect(result == expected)
        if case .success(let closure) = result { #expect(closure.payload == Data(payload)) }
    }

    @Test("a reason has at most 123 bytes of UTF-8, and needs a code")
    func reasons() throws {
        try WebSocketClosure(.normal, reason: String(repeating: "ä", count: 61)).check()
        #expect(throws: WebSocketError.longCloseReason) {
            try WebSocketClosure(.normal, reason: String(repeating: "ä", count: 62)).check()
        }
        try WebSocketClosure(.noStatus).check()
        #expect(throws: WebSocketError.invalidCloseCode(.noStatus)) {
            try WebSocketClosure(.noStatus, reason: "a").check()
        }
    }
}
