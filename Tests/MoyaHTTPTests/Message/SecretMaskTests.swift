import MoyaHTTP
import Testing

@testable import struct MoyaHTTP.SecretMask

@Suite("What carries credentials is not written where people read")
struct SecretMaskTests {
    @Test(
        "a credential's value is masked whatever the case of the name; the scheme of an Authorization stays",
        arguments: [
            ("Authorization", "Bearer abc", "Bearer ***"),
            ("authorization", "Basic dXNlcjpwdw==", "Basic ***"),
            ("AUTHORIZATION", "Digest username=\"u\", response=\"abc\"", "Digest ***"),
            ("Proxy-Authorization", "Basic abc", "Basic ***"),
            ("PROXY-authorization", "Negotiate abc", "Negotiate ***"),
            // Without a scheme all of it may be the secret.
            ("Authorization", "abc", "***"),
            ("Authorization", "Bearer", "***"),
            ("Authorization", "", "***"),
            ("Authorization", "Bearer\tabc", "***"),
            ("Cookie", "session=abc; theme=dark", "***"),
            ("cookie", "Bearer abc", "***"),
            ("Set-Cookie", "session=abc; HttpOnly", "***"),
            ("SET-COOKIE", "", "***"),
        ]
    )
    func masked(_ name: String, value: String, result: String) {
        #expect(SecretMask.standard.value(value, ofHeader: name) == result)
        #expect(HTTPHeader(name: name, value: value).description == "\(name): \(result)")
    }

    @Test(
        "other headers are written as they are",
        arguments: [
            "Accept", "Content-Type", "X-Authorization-Hint", "WWW-Authenticate", "Cookies", "", "Authorization ",
        ]
    )
    func plain(_ name: String) {
        #expect(SecretMask.standard.value("Bearer abc", ofHeader: name) == "Bearer abc")
    }
}
