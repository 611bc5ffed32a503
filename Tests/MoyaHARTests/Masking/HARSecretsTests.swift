import Foundation
import TestSupport
import TestTraits
import Testing

@testable import MoyaHAR

@Suite("Secrets in recordings are masked", .ownThread)
struct HARSecretsTests {
    private let secrets = HARSecrets(names: ["X-Session", "pin"])

    @Test(
        "secrets are masked in a recording's headers, and other values are kept",
        arguments: [
            ("Authorization", "Bearer abc", "Bearer ***"),
            ("authorization", "abc", "***"),
            ("Proxy-Authorization", "Basic abc", "Basic ***"),
            ("Cookie", "a=1; b=2=3;c", "a=***; b=***; ***"),
            ("Set-Cookie", "sid=abc; Path=/; HttpOnly", "sid=***; Path=/; HttpOnly"),
            ("set-cookie", "a=1; Secure\nb=2", "a=***; Secure\nb=***"),
            ("X-SESSION", "abc", "***"),
            ("x-api-key", "abc", "***"),
            ("Accept", "text/plain", "text/plain"),
            ("Location", "https://u:p@h/x?pin=1&a=2#access_token=3", "https://h/x?pin=***&a=2#access_token=***"),
            ("Referer", "http://h/?PIN=1", "http://h/?PIN=***"),
            ("Link", "<http://u@h/?pin=1>; rel=next", "<http://h/?pin=***>; rel=next"),
        ]
    )
    func headers(_ name: String, _ value: String, _ masked: String) {
        let header = FieldMask(secrets).header(HAR.Field(name: name, value: value))
        #expect(header == HAR.Field(name: name, value: masked))
        #expect(FieldMask(secrets).header(header) == header, "masking twice is masking once")
    }

    @Test(
        "secrets are masked in JSON at any depth, and the rest of the text is kept",
        arguments: [
            (#"{"pin":1234}"#, #"{"pin":"***"}"#),
            (#"{"PIN" : "a\"b", "x" : 1.0}"#, #"{"PIN" : "***", "x" : 1.0}"#),
            (#"[{"a":{"access_token":"x"}},{"pin":[1,{"b":"]"}]}]"#, #"[{"a":{"access_token":"***"}},{"pin":"***"}]"#),
            (#"{"p\u0069n":true}"#, #"{"p\u0069n":"***"}"#),
            (#"{"pin":null,"a":"pin","b":["pin"]}"#, #"{"pin":null,"a":"pin","b":["pin"]}"#),
            (#"{"pin":"cut"#, #"{"pin":"***""#),
            (#"{"pin":{"a":[1"#, #"{"pin":"***""#),
            (#"{"pin":"#, #"{"pin":"#),
            (#"{"a":"\"pin\":1"}"#, #"{"a":"\"pin\":1"}"#),
            ("data: {\"pin\":1}\n\ndata: {\"pin\": 2}\n", "data: {\"pin\":\"***\"}\n\ndata: {\"pin\": \"***\"}\n"),
            (#"{"pin":"***"}"#, #"{"pin":"***"}"#),
            (#"{"pin":1"#, #"{"pin":"***""#),
            ("", ""),
        ]
    )
    func json(_ text: String, _ masked: String) {
        for type in ["application/json", "text/plain", ""] {
            let data = BodyMask(secrets, mimeType: type).data(Data(text.utf8))
            #expect(String(decoding: data, as: UTF8.self) == masked)
        }
    }

    @Test(
        "secrets are masked in recorded forms",
        arguments: [
            ("a=1&pin=2&password=3", "a=1&pin=***&password=***"),
            ("p%69n=2&b", "p%69n=***&b"),
            ("pin", "pin"),
        ]
    )
    func form(_ text: String, _ masked: String) {
        let mask = BodyMask(secrets, mimeType: "application/x-www-form-urlencoded; charset=utf-8")
        #expect(String(decoding: mask.data(Data(text.utf8)), as: UTF8.self) == masked)
    }

    @Test("secrets are masked in the parts of a recorded form, complete or truncated")
    func multipart() {
        func form(_ pin: String) -> String {
            "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x\r\n"
                + "content-disposition: form-data; filename=\"f\"; name=\"PIN\"\r\n\r\n\(pin)\r\n--x--\r\n"
        }
        let mask = BodyMask(secrets, mimeType: "multipart/form-data; boundary=\"x\"")
        #expect(mask.data(Data(form("12\r\n34").utf8)) == Data(form("***").utf8))
        let cut = Data(form("12345").utf8.dropLast(9))
        let masked = String(decoding: mask.data(cut), as: UTF8.self)
        #expect(masked.hasSuffix("\r\n\r\n***") && !masked.contains("123"))
    }

    @Test("secrets are masked in every member of a HAR entry, even in base64, and other values are kept")
    func entry() throws {
        var entry = HAR.small.entries[0]
        entry.request.url = "https://user:word@h/?pin=1&a=2"
        entry.request.queryString = [HAR.Field(name: "pin", value: "1"), HAR.Field(name: "a", value: "2")]
        entry.request.postData = HAR.PostData(
            mimeType: "application/x-www-form-urlencoded",
            text: nil,
            params: [HAR.Parameter(name: "pin", value: "1"), HAR.Parameter(name: "a", value: "2")]
        )
        entry.request.cookies = [HAR.Cookie(name: "c", value: "1")]
        entry.response.redirectURL = "http://h/?pin=1"
        entry.response.content = HAR.Content(
            size: 9,
            mimeType: "application/json",
            text: Data(#"{"pin":1}"#.utf8).base64EncodedString(),
            encoding: "base64"
        )
        let masked = entry.masking(secrets)
        #expect(masked.request.url == "https://h/?pin=***&a=2")
        #expect(masked.request.queryString.map(\.value) == ["***", "2"])
        #expect(masked.request.postData?.params.map(\.value) == ["***", "2"])
        #expect(masked.request.cookies.map(\.value) == ["***"])
        #expect(masked.response.redirectURL == "http://h/?pin=***")
        #expect(masked.response.content.data == Data(#"{"pin":"***"}"#.utf8))
        #expect(masked.response.cookies.map(\.value) == ["***"])
        #expect(masked.masking(secrets) == masked)
        #expect(entry.masking(.none) == entry)
    }

    @Test("masking a random text does not trap, and masking twice equals masking once")
    func fuzz() {
        let seed: UInt64 = 7
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "\"", "pin", "\"pin\":", "{", "}", "[", "]", ",", "\\", " ", "--x", "\r\n", "\r\n\r\n", "name=", ";", "=",
            "&", "?",
        ]
        for _ in 0..<3_000 {
            let count = Int.random(in: 0...30, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            for type in ["application/json", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"] {
                let mask = BodyMask(secrets, mimeType: type)
                let once = mask.data(Data(text.utf8))
                _ = mask.data(once)
            }
            let field = FieldMask(secrets).header(HAR.Field(name: "Set-Cookie", value: text))
            #expect(FieldMask(secrets).header(field) == field, "seed \(seed): \(text.debugDescription)")
        }
    }
}
