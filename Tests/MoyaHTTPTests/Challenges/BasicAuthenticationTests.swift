import Foundation
import MoyaHTTP
import Testing

@Suite("Basic credentials follow RFC 7617")
struct BasicAuthenticationTests {
    struct Row: CustomTestStringConvertible {
        let rule: String
        let user: String
        let password: String
        let header: String

        var testDescription: String { rule }
    }

    @Test(
        "Basic credentials send the user name and the password in Base64",
        arguments: [
            Row(
                rule: "section 2: Aladdin",
                user: "Aladdin",
                password: "open sesame",
                header: "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
            ),
            Row(rule: "section 2.1: UTF-8", user: "test", password: "123£", header: "Basic dGVzdDoxMjPCow=="),
            Row(rule: "section 2.1: NFC", user: "a\u{308}", password: "", header: "Basic w6Q6"),
            Row(rule: "section 2: a colon in the password", user: "a", password: "b:c", header: "Basic YTpiOmM="),
            Row(rule: "section 2: both may be empty", user: "", password: "", header: "Basic Og=="),
        ]
    )
    func header(row: Row) throws {
        let header = try BasicAuthentication.authorization(UserCredential(user: row.user, password: row.password))
        #expect(header == row.header)
    }

    @Test(
        "Basic credentials that RFC 7617, section 2, forbids are an error",
        arguments: [
            ("a:b", "c", CredentialError.colonInUserName),
            ("a\nb", "c", .controlCharacter),
            ("a", "b\0", .controlCharacter),
            ("a", "b\u{7F}", .controlCharacter),
            ("a\u{85}", "b", .controlCharacter),
        ]
    )
    func forbidden(user: String, password: String, error: CredentialError) {
        #expect(throws: error) {
            try BasicAuthentication.authorization(UserCredential(user: user, password: password))
        }
    }

    @Test("errors of Basic credentials name a remedy and not the secret")
    func texts() throws {
        #expect(try #require(CredentialError.colonInUserName.errorDescription).contains("colon"))
        #expect(try #require(CredentialError.controlCharacter.errorDescription).contains("control character"))
    }

    @Test(
        "RFC 7617, 2.2: the protection space contains all paths at or below the depth of the request",
        arguments: [
            ("/", "/"), ("/a", "/"), ("/a/", "/a/"), ("/a/b", "/a/"), ("/a/b/c.html", "/a/b/"), ("", "/"),
        ]
    )
    func scope(path: String, scope: String) {
        #expect(BasicAuthentication.scope(ofPath: path) == scope)
    }
}
