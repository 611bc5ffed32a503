import Foundation
import MoyaJSON
import TestSupport
import TestTraits
import Testing

@testable import MoyaHTTP
@testable import MoyaSecretMasking

@Suite("Secrets in bodies and URLs are masked for all spellings of their names", .ownThread)
struct SecretMaskBodyTests {
    private static let form = "application/x-www-form-urlencoded"

    private func body(_ text: String, _ type: String?) -> String {
        String(decoding: SecretMask.standard.body(Data(text.utf8), contentType: type), as: UTF8.self)
    }

    @Test(
        "names of secrets are compared by segments, ignoring case, underscores and hyphens",
        arguments: [
            "accessToken", "ACCESS_TOKEN", "access-token", "refreshToken", "idToken", "clientSecret", "token", "secret",
            "jwt",
            "pwd", "session_id", "sessionId", "user[password]", "password[]", "a[0][apiKey]", "user.password",
            "x-api-key",
        ]
    )
    func names(_ name: String) {
        #expect(body("a=1&\(name)=5ecret&b=2", Self.form) == "a=1&\(name)=***&b=2")
        let url = "https://h/?a=1&\(name)=5ecret&b=2"
        #expect(SecretMask.standard.masking(url: url) == "https://h/?a=1&\(name)=***&b=2")
        #expect(
            body(#"{"a":[{"\#(name)":"5ecret"}],"b":2}"#, "application/json") == #"{"a":[{"\#(name)":"***"}],"b":2}"#
        )
        let part = "--x\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n"
        #expect(body("\(part)5ecret\r\n--x--\r\n", "multipart/form-data; boundary=x") == "\(part)***\r\n--x--\r\n")
    }

    @Test(
        "the value of `code` is masked where it is OAuth's authorization code",
        arguments: [
            ("code=5ecret&state=1", form, "code=***&state=1"),
            ("country_code=DE&zip_code=1", form, "country_code=DE&zip_code=1"),
            (#"{"code":404,"message":"x"}"#, "application/json", #"{"code":404,"message":"x"}"#),
            (
                #"{"code":"not_found","country_code":"DE"}"#, "application/json",
                #"{"code":"not_found","country_code":"DE"}"#
            ),
            (
                #"{"grant_type":"authorization_code","code":"5ecret"}"#, "application/json",
                #"{"grant_type":"authorization_code","code":"***"}"#
            ),
            (
                #"{"u":"https://h/cb?code=5ecret&state=1"}"#, "application/json",
                #"{"u":"https://h/cb?code=***&state=1"}"#
            ),
            ("see https://h/cb?code=5ecret#x", "text/plain", "see https://h/cb?code=***#x"),
        ]
    )
    func code(_ text: String, _ type: String, _ masked: String) { #expect(body(text, type) == masked) }

    @Test(
        "elements and attributes of XML and HTML with secret names are masked",
        arguments: [
            ("<a><password>5ecret</password><b>1</b></a>", "<a><password>***</password><b>1</b></a>"),
            (
                "<?xml version=\"1.0\"?>\n<s:a xmlns:s=\"u\"><s:Password x=\"1\">5ecret</s:Password></s:a>",
                "<?xml version=\"1.0\"?>\n<s:a xmlns:s=\"u\"><s:Password x=\"1\">***</s:Password></s:a>"
            ),
            ("<login password='5ecret' user=\"a\"/>", "<login password='***' user=\"a\"/>"),
            ("<a><token/><b>1</b></a>", "<a><token/><b>1</b></a>"),
            ("<token><x>5ecret</x><y z='5ecret'/></token><b/>", "<token>***</token><b/>"),
            ("<token>5<token>e</token>cret</token><b/>", "<token>***</token><b/>"),
            ("<token><![CDATA[5</token>ecret]]></token>", "<token>***</token>"),
            ("<!-- <token> --><a>1</a>", "<!-- <token> --><a>1</a>"),
            ("<item name=\"password\">5ecret</item>", "<item name=\"password\">***</item>"),
            ("<entry key=\"api_key\" value=\"5ecret\"/>", "<entry key=\"api_key\" value=\"***\"/>"),
            ("<form><input name=password value=5ecret><p>1</p>", "<form><input name=password value=***><p>1</p>"),
            ("<a><token>5ecr", "<a><token>***"), ("<a token=\"5ecr", "<a token=\"***"), ("<a token=", "<a token="),
            ("<a><b>1</b", "<a><b>1</b"), ("<", "<"), ("<!--", "<!--"),
        ]
    )
    func xml(_ text: String, _ masked: String) {
        #expect(body(text, "application/xml") == masked)
        #expect(body(masked, "text/html") == masked)
    }

    @Test(
        "a value is masked if the preceding member of its object contains a secret name",
        arguments: [
            (#"[{"name":"password","value":"5ecret"}]"#, #"[{"name":"password","value":"***"}]"#),
            (#"{"key":"api_key","x":1,"value":{"a":"5ecret"}}"#, #"{"key":"api_key","x":1,"value":"***"}"#),
            (
                #"[{"name":"token"},{"name":"a","value":"1"},{"value":2}]"#,
                #"[{"name":"token"},{"name":"a","value":"1"},{"value":2}]"#
            ),
            (#"[{"name":"token"},{"value":2}]"#, #"[{"name":"token"},{"value":"***"}]"#),
        ]
    )
    func named(_ text: String, _ masked: String) { #expect(body(text, "application/json") == masked) }

    @Test(
        "secrets in nested percent-encoded URLs are masked",
        arguments: [
            (
                "https://h/?next=http%3A%2F%2Fi%3Fapi_key%3D5ecret%26b%3D1&c=2",
                "https://h/?next=http%3A%2F%2Fi%3Fapi_key%3D***%26b%3D1&c=2"
            ),
            (
                "https://h/?n=http%3A%2F%2Fi%3Fm%3Dhttp%253A%252F%252Fj%253Fapi_key%253D5ecret%2526b%253D1%26c%3D2&d",
                "https://h/?n=http%3A%2F%2Fi%3Fm%3Dhttp%253A%252F%252Fj%253Fapi_key%253D***%2526b%253D1%26c%3D2&d"
            ),
            ("https://h/?n=https%3A%2F%2Fash%3A5ecret%40i%2F&c", "https://h/?n=https%3A%2F%2Fi%2F&c"),
            ("https://h/?n=password%3D5ecret%26a%3D1&c", "https://h/?n=password%3D***&c"),
            ("https://h/p;jsessionid=5ecret?a=1", "https://h/p;jsessionid=***"),
            ("https://h/#/cb?access_token=5ecret&b", "https://h/#/cb?access_token=***&b"),
            ("https://h/?q=%26token%253D5ecret", "https://h/?q=%26token%253D***"),
            ("https://h/a%zz%?x=%2&y=%252", "https://h/a%zz%?x=%2&y=%252"),
        ]
    )
    func nested(_ url: String, _ masked: String) { #expect(SecretMask.standard.masking(url: url) == masked) }

    @Test(
        "only & ends a value in a form, and text before a name does not belong to the name",
        arguments: [
            ("password=x#5ecret&a=1", "password=***&a=1"), ("password=x 5ecret", "password=***"),
            ("password=x\"5ecret", "password=***"), ("password=x<5ecret", "password=***"),
            ("password=x;5ecret", "password=***"), ("password=x\r\n5ecret&a=1", "password=***&a=1"),
            (" password=5ecret", " password=***"), ("a=1&\r\npassword=5ecret", "a=1&\r\npassword=***"),
            ("\u{FEFF}password=5ecret", "\u{FEFF}password=***"), ("a=1\npassword=5ecret", "a=1\npassword=***"),
            ("+password=5ecret", "+password=***"), ("pass%77ord=5ecret", "pass%77ord=***"),
            (#"{"password":"5ecret"}"#, #"{"password":"***"}"#),
        ]
    )
    func forms(_ text: String, _ masked: String) { #expect(body(text, Self.form) == masked) }

    @Test("bytes that are not UTF-8 hide no secret and stay unchanged")
    func bytes() {
        let data = Data("a=".utf8) + Data([0xFF]) + Data("&password=".utf8) + Data([0xFE, 0x41])
        let masked = Data("a=".utf8) + Data([0xFF]) + Data("&password=***".utf8)
        #expect(SecretMask.standard.body(data, contentType: Self.form) == masked)
        let json = Data(#"{"a":""#.utf8) + Data([0xFF]) + Data(#"","password":"5ecret"}"#.utf8)
        let maskedJSON = Data(#"{"a":""#.utf8) + Data([0xFF]) + Data(#"","password":"***"}"#.utf8)
        #expect(SecretMask.standard.body(json, contentType: "application/json") == maskedJSON)
    }

    @Test(
        "secrets in UTF-16 are masked with and without a byte order mark",
        arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian],
        ["", "\u{FEFF}"]
    )
    func wide(_ encoding: String.Encoding, _ mark: String) throws {
        let text = try #require((mark + #"{"password":"5ecret","n":"Zoë"}"#).data(using: encoding))
        let masked = try #require((mark + #"{"password":"***","n":"Zoë"}"#).data(using: encoding))
        #expect(SecretMask.standard.body(text, contentType: "application/json") == masked)
    }

    @Test(
        "parts of a form with secret names are masked for any line ends, and secrets in other parts are masked, too",
        arguments: ["\r\n", "\n"],
        [
            "Content-Disposition: form-data; name=\"password\"", "Content-Disposition: form-data;\n name=\"password\"",
            "Content-Disposition: form-data; name=password", "content-disposition : form-data; name=\"user[password]\"",
            "Content-Disposition: form-data; name=\"a\"; name=\"password\"",
            "Content-Disposition: form-data; name*=UTF-8''pass%77ord",
            "Content-Type: text/plain\nContent-Disposition: form-data; filename=\"a;b\"; name=\"password\"",
        ]
    )
    func parts(_ lineBreak: String, _ head: String) {
        func form(_ password: String, _ token: String) -> String {
            ("--x;y\n\(head)\n\n\(password)\n--x;y\nContent-Disposition: form-data; name=\"j\"\n"
                + "Content-Type: application/json\n\n{\"token\":\"\(token)\"}\n--x;y--\n")
                .replacingOccurrences(of: "\n", with: lineBreak)
        }
        for type in ["multipart/form-data; boundary=\"x;y\"", "multipart/form-data", "text/plain"] {
            #expect(body(form("5ecret", "5ecret"), type) == form("***", "***"), "\(type)")
        }
    }

    @Test(
        "secrets in JSON and in URLs inside JSON strings are masked, and the other text is unchanged",
        arguments: [
            (#"{"a":"{\"password\":\"5ecret\",\"b\":1}"}"#, #"{"a":"{\"password\":\"***\",\"b\":1}"}"#),
            (#"{"a":"{\"b\":\"{\\\"pwd\\\":\\\"5ecret\\\"}\"}"}"#, #"{"a":"{\"b\":\"{\\\"pwd\\\":\\\"***\\\"}\"}"}"#),
            (#"{"a":"https:\/\/h\/?token=5ecret\u0026b=1"}"#, #"{"a":"https://h/?token=***&b=1"}"#),
            (#"{"data":"client_secret=5ecret&a=1"}"#, #"{"data":"client_secret=***&a=1"}"#),
            (#"{"u":"https://ash:5ecret@h/"}"#, #"{"u":"https://h/"}"#),
            ("{\"token\":\"5ecret\"}\n{\"token\":\"5ecret\"}\n", "{\"token\":\"***\"}\n{\"token\":\"***\"}\n"),
            (#"{"a":"x = \"y\" @ \\ % \u00e9"}"#, #"{"a":"x = \"y\" @ \\ % \u00e9"}"#),
            (#"{"\u0070assword":"5ecret"}"#, #"{"\u0070assword":"***"}"#),
        ]
    )
    func json(_ text: String, _ masked: String) { #expect(body(text, "application/json") == masked) }

    @Test(
        "a program or a page without secrets stays unchanged when it is masked",
        arguments: [
            #"if(a&&token==null){b("x");token=c("y")}"#, #"<a href="/x" tokens="y">a</a>"#, "token=a&b",
            "a ? code : secret",
        ]
    )
    func programs(_ text: String) { #expect(body(text, "text/html") == text) }

    @Test(
        "headers with keys and tokens, and a secret in Location, are masked; headers with positions and identifiers are not"
    )
    func headers() {
        for name in [
            "X-Api-Key", "X-Vault-Token", "Private-Token", "Ocp-Apim-Subscription-Key", "X-Amz-Security-Token",
        ] {
            #expect(SecretMask.standard.value("5ecret", ofHeader: name) == "***", "\(name)")
        }
        for name in ["X-Next-Token", "Idempotency-Key", "X-Request-Id", "Server", "ETag"] {
            #expect(SecretMask.standard.value("abc", ofHeader: name) == "abc", "\(name)")
        }
        #expect(
            SecretMask.standard.value("https://u:p@h/cb?code=5ecret&a=1", ofHeader: "Location")
                == "https://h/cb?code=***&a=1"
        )
    }

    // MARK: Fuzz

    @Test("the secret in a document of any kind is masked, and the other text is unchanged")
    func planted() {
        let seed: UInt64 = 34
        var generator = SeededGenerator(seed: seed)
        let names = ["password", "accessToken", "user[pwd]", "client-secret", "API_KEY", "a.token"]
        let others = ["a", "user[name]", "country_code", "note", "n1", "tokens", "é"]
        let marks = Array("#\"<> ;'{}[]()\\/?%:,@=é\n\r\t\u{0}").map(String.init)
        for round in 0..<100 {
            let secret = "5E" + (0..<6).map { _ in marks.randomElement(using: &generator) ?? "" }.joined() + "CRET"
            let plain = (0..<6).map { _ in ["x", "y", "1", "é", " "].randomElement(using: &generator) ?? "" }.joined()
            let name = names.randomElement(using: &generator) ?? ""
            let other = others.randomElement(using: &generator) ?? ""
            func escaped(_ text: String) -> String { text.percentEncoded(keeping: .unreserved) }
            func quoted(_ text: String) -> String { String(decoding: JSONText.quoted(Array(text.utf8)), as: UTF8.self) }
            let once = "\(escaped(other))=\(escaped(plain))&\(escaped(name))=\(escaped(secret))"
            let rows: [(String, String, String)] = [
                (once, Self.form, "\(escaped(other))=\(escaped(plain))&\(escaped(name))=***"),
                (
                    "n=\(escaped("http://h/?\(once)"))&z=1", Self.form,
                    "n=\(escaped("http://h/?\(escaped(other))=\(escaped(plain))&\(escaped(name))="))***&z=1"
                ),
                (
                    "{\(quoted(other)):\(quoted(plain)),\(quoted(name)) : \(quoted(secret))}", "application/json",
                    "{\(quoted(other)):\(quoted(plain)),\(quoted(name)) : \"***\"}"
                ),
                (
                    "{\"s\":\(quoted("{\(quoted(name)):\(quoted(secret))}"))}", "text/plain",
                    "{\"s\":\(quoted("{\(quoted(name)):\"***\"}"))}"
                ),
                (
                    "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(secret)\r\n--b--",
                    "multipart/form-data; boundary=b",
                    "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n***\r\n--b--"
                ),
            ]
            for (text, type, masked) in rows {
                let result = body(text, type)
                #expect(
                    result.utf8.elementsEqual(masked.utf8),
                    "seed \(seed), round \(round): \(text.debugDescription) \(result)"
                )
            }
        }
    }

    @Test("malformed bodies are masked without a crash, and masking twice equals masking once")
    func malformed() {
        let seed: UInt64 = 26
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "\"", "password", "\"token\":", "{", "}", "[", "]", ",", "\\", " ", "--x", "\r\n", "\n\n", "name=", ";",
            "=", "&",
            "?", "%", "%3D", "%25", "%2525", "\\u00", "\\ud83d", "//", "@", "#", "\u{0}", "é", "://",
            "Content-Disposition:",
        ]
        for _ in 0..<300 {
            let count = Int.random(in: 0...24, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            for type in [
                "application/json", "multipart/form-data; boundary=x", Self.form, "text/plain; charset=utf-16",
            ] {
                let once = SecretMask.standard.body(Data(text.utf8), contentType: type)
                _ = SecretMask.standard.body(once, contentType: type)
            }
            for kind in [QueryMask.Kind.form, .url, .text, .value] {
                let mask = QueryMask(names: SecretNames(), found: nil)
                let once = mask.masking(Array(text.utf8), as: kind)
                if let once {
                    #expect(mask.masking(once, as: kind) == nil, "seed \(seed): \(text.debugDescription) \(kind)")
                }
            }
        }
    }

    @Test(
        "the time to mask a long body is linear in its length",
        arguments: [
            "\"", "\\\"", "\"a\":", "[", "{\"a\":", "%25", "a=", "&", "//", "//a", "\n", "--x\n", "--x\n\n", "\"\\",
            " \"", "://a ", "x\n", "key=", "key=&", "?a", ";a", "a@",
        ]
    )
    func linear(_ piece: String) {
        func time(_ count: Int) -> Duration {
            let text = String(repeating: piece, count: count)
            return processorTime {
                for type in ["application/json", Self.form, "multipart/form-data; boundary=x"] { _ = body(text, type) }
            }
        }
        let short = min(time(100), time(100))
        // The length is 10 times greater; quadratic time would be 100 times greater.
        #expect(time(1_000) < short * 40 + .milliseconds(20))
    }
}
