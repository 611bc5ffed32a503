import Foundation
import MoyaHTTP
import Testing

@testable import struct MoyaHTTP.SecretMask

@Suite("Credentials are masked in texts for people")
struct SecretMaskTests {
    @Test(
        "the value of a credential is masked for upper and lower case of the name; the scheme of an Authorization is kept",
        arguments: [
            ("Authorization", "Bearer abc", "Bearer ***"),
            ("authorization", "Basic dXNlcjpwdw==", "Basic ***"),
            ("AUTHORIZATION", "Digest username=\"u\", response=\"abc\"", "Digest ***"),
            ("Proxy-Authorization", "Basic abc", "Basic ***"),
            ("PROXY-authorization", "Negotiate abc", "Negotiate ***"),
            // Without a scheme, the whole value may be secret.
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
        "headers without credentials are unchanged by the mask",
        arguments: [
            "Accept", "Content-Type", "X-Authorization-Hint", "WWW-Authenticate", "Cookies", "", "Authorization ",
        ]
    )
    func plain(_ name: String) {
        #expect(SecretMask.standard.value("Bearer abc", ofHeader: name) == "Bearer abc")
    }

    @Test(
        "additional headers are masked completely, ignoring case, and a masked Authorization keeps its scheme"
    )
    func added() {
        let mask = SecretMask(names: ["X-Key", "cookie"])
        #expect(mask.value("Bearer abc", ofHeader: "x-KEY") == "***")
        #expect(mask.value("Bearer abc", ofHeader: "Authorization") == "Bearer ***")
        #expect(mask.value("a=b", ofHeader: "Cookie") == "***")
        #expect(mask.value("abc", ofHeader: "X-Keys") == "abc")
    }

    @Test("the mask `none` hides nothing")
    func off() throws {
        let url = try #require(URL(string: "http://u:p@h/?token=a"))
        #expect(SecretMask.none.value("Bearer abc", ofHeader: "Authorization") == "Bearer abc")
        #expect(SecretMask.none.text(of: url) == "http://u:p@h/?token=a")
        #expect(SecretMask.none.maskingQueries(in: "?token=a") == "?token=a")
    }

    static let queries = [
        ("http://h/?token=a", "http://h/?token=***"),
        ("http://h/?q=1&TOKEN=a&r=2#f", "http://h/?q=1&TOKEN=***&r=2#f"),
        ("http://h/?token=a=b;c/d?e", "http://h/?token=***"),
        ("http://h/?token=&x", "http://h/?token=***&x"),
        ("http://h/?token", "http://h/?token"),
        ("http://h/?token&token=a", "http://h/?token&token=***"),
        ("http://h/#token=a&t=b", "http://h/#token=***&t=b"),
        ("http://h/?%74oken=a", "http://h/?%74oken=***"),
        ("http://h/?two+words=a&two%20words=b", "http://h/?two+words=***&two%20words=***"),
        ("http://h/?list%5B%5D=a&list[]=b", "http://h/?list%5B%5D=***&list[]=***"),
        ("http://h/?tokens=a&xtoken=b", "http://h/?tokens=a&xtoken=b"),
        ("http://h/?%ZZ=a&token=b", "http://h/?%ZZ=a&token=***"),
        ("http://token=a/token=b", "http://token=a/token=b"),
        ("??&&token=a&&", "??&&token=***&&"),
        (
            "two of them: http://h/?token=a <http://h/?token=b> and token=c",
            "two of them: http://h/?token=*** <http://h/?token=***> and token=c"
        ),
        ("", ""),
    ]

    @Test("additional query items are masked in every URL and every spelling", arguments: queries)
    func query(text: String, masked: String) {
        let mask = SecretMask(names: ["Token", "two words", "list[]"])
        #expect(mask.maskingQueries(in: text) == masked)
        #expect(SecretMask(includesCommonNames: false).maskingQueries(in: text) == text)
    }

    @Test("a form body is masked like a query, and a body with another content type is unchanged")
    func form() {
        let mask = SecretMask(names: ["token"])
        let form = "application/x-www-form-urlencoded"
        func text(_ text: String, _ type: String?) -> String {
            String(decoding: mask.body(Data(text.utf8), contentType: type), as: UTF8.self)
        }
        #expect(text("token=a&q=1&Token=b", form) == "token=***&q=1&Token=***")
        #expect(text("token=a", "\(form.uppercased()) ; charset=utf-8") == "token=***")
        #expect(text("", form).isEmpty)
        #expect(text("token=a", nil) == "token=a")
        #expect(text("token=a", "text/plain") == "token=a")
        #expect(mask.body(Data([0x3D, 0xFF]), contentType: form) == Data([0x3D, 0xFF]))
        #expect(SecretMask.none.body(Data("token=a".utf8), contentType: form) == Data("token=a".utf8))
    }

    @Test("a URL in a masked text has no user name and no password")
    func url() throws {
        let url = try #require(URL(string: "http://u:p@h/?token=a"))
        #expect(SecretMask(includesCommonNames: false).text(of: url) == "http://h/?token=a")
        #expect(SecretMask.standard.text(of: url) == "http://h/?token=***")
        #expect(SecretMask(names: ["token"]).text(of: url) == "http://h/?token=***")
    }
}
