import MoyaGenerator
import Testing

@Suite("Names follow the API design guidelines")
struct WordsTests {
    @Test(
        "a name is a type and a value",
        arguments: [
            ("pet_store", "PetStore", "petStore"), ("pet-store", "PetStore", "petStore"),
            ("petStore", "PetStore", "petStore"),
            ("HTMLPage", "HTMLPage", "htmlPage"), ("html_url", "HTMLURL", "htmlURL"), ("userIDs", "UserIDs", "userIDs"),
            ("user_ids", "UserIDs", "userIDs"), ("id", "ID", "id"), ("nodeId", "NodeID", "nodeID"),
            ("URLs", "URLs", "urls"),
            ("GitHubApp", "GitHubApp", "githubApp"), ("oauth_token", "OAuthToken", "oauthToken"),
            ("IPv4Address", "IPv4Address", "ipv4Address"),
            ("sha256", "SHA256", "sha256"), ("2fa", "_2fa", "_2fa"), ("v1.2", "V1_2", "v1_2"), ("+1", "Plus1", "plus1"),
            ("-1", "Minus1", "minus1"), ("user's name", "UsersName", "usersName"), ("$ref", "Ref", "ref"),
            ("größe", "Größe", "größe"),
            ("a  b//c", "ABC", "aBC"), ("", "Value", "value"), ("X-Request-ID", "XRequestID", "xRequestID"),
            ("iOSVersion", "IOSVersion", "iosVersion"),
        ]
    )
    func names(name: String, type: String, value: String) {
        let rules = NamingRules()
        #expect(rules.type(Words(of: name)) == type)
        #expect(rules.value(Words(of: name)) == value)
    }

    @Test(
        "the last word has a singular",
        arguments: [
            ("labels", "Label"), ("categories", "Category"), ("addresses", "Address"), ("boxes", "Box"),
            ("branches", "Branch"),
            ("people", "Person"), ("status", "Status"), ("statuses", "Status"), ("analysis", "Analysis"),
            ("news", "News"),
            ("pull_requests", "PullRequest"), ("data", "Data"), ("releases", "Release"), ("ids", "ID"), ("is", "Is"),
        ]
    )
    func singular(name: String, expected: String) {
        #expect(NamingRules().type(Words(of: name).singular) == expected)
    }

    @Test("acronyms of the project have their spelling")
    func acronyms() {
        #expect(NamingRules(acronyms: ["SARIF"]).type(Words(of: "sarif_id")) == "SARIFID")
        #expect(NamingRules().type(Words(of: "sarif_id")) == "SarifID")
    }

    @Test("names that are taken get the next candidate, and then a number")
    func unique() {
        var names = UniqueNames(reserved: ["Data"])
        #expect(names.take(["data", "payload"]) == "payload")
        #expect(names.take(["Payload"]) == "Payload2")
        #expect(names.take(["payload"]) == "payload3")
        #expect(names.take(["v1"]) == "v1")
        #expect(names.take(["V1"]) == "V1_2")
    }
}
