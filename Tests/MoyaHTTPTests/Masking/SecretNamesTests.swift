import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaSecretMasking

@Suite("Names of secrets are recognized by their words and places")
struct SecretNamesTests {
    @Test(
        "parameters with credentials, and parameters of signed URLs, are masked in URLs, forms and JSON",
        arguments: [
            "sig", "signature", "hmac", "oauth_token", "oauth_signature", "oauth_consumer_key", "oauth_verifier",
            "appsecret_proof", "access_key", "accessKey", "ACCESS-KEY", "private_token", "secret_token", "SAMLResponse",
            "otp", "sms_otp", "pin", "userPin", "pin_code", "sid", "connect.sid", "subscription-key", "subscriptionKey",
            "x-oss-signature", "x-oss-credential", "OSSAccessKeyId", "AWSAccessKeyId", "X-Amz-Signature",
            "X-Amz-Credential", "X-Amz-Security-Token", "X-Goog-Signature", "X-Goog-Credential", "GoogleAccessId",
            "Signature", "Key-Pair-Id", "q-signature", "q-ak", "auth", "authKey", "authtoken", "auth_data", "session",
            "session_cookie", "masterKey", "master_key", "encryptionKey", "license_key", "APIKey", "apikey",
            "API_KEY_2",
            "password2", "password_hash", "dbPassword", "credentials", "userCredential", "jwt_assertion", "passcode",
            "user[sessionKey]", "a.b.clientSecret", "fb_exchange_token", "totpSecret", "clé_token", "secrets",
            "pass", "pw", "bearer", "tok", "csrf", "xsrf", "skey", "sas", "SharedAccessSignature", "id_token_hint",
        ]
    )
    func secretParameters(_ name: String) {
        let mask = SecretMask.standard
        let escaped = name.percentEncoded(keeping: .unreserved)
        #expect(mask.masking(url: "https://h/?a=1&\(escaped)=5ecret&b=2") == "https://h/?a=1&\(escaped)=***&b=2")
        let form = mask.body(Data("\(escaped)=5ecret&b=2".utf8), contentType: "application/x-www-form-urlencoded")
        #expect(String(decoding: form, as: UTF8.self) == "\(escaped)=***&b=2")
        let json = mask.body(Data(#"{"\#(name)":"5ecret","b":2}"#.utf8), contentType: "application/json")
        #expect(String(decoding: json, as: UTF8.self) == #"{"\#(name)":"***","b":2}"#)
        #expect(!SecretMask(includesCommonNames: false).isSecret(name))
    }

    @Test(
        "names that resemble names of secrets, and statements about secrets, are not masked",
        arguments: [
            "keyboard", "author", "authority", "authorId", "monkey", "hockey", "keys", "tokens", "max_tokens",
            "total_tokens", "xtoken", "sessions", "pins", "pinned", "spin", "side", "signal", "design", "assigned",
            "secretary", "tokenizer", "passwordless", "key", "keyword", "key_points", "keyCode", "monkey_type",
            // These values identify something or are public.
            "sort_key", "sortKey", "primary_key", "foreignKey", "partition-key", "cache_key", "object_key", "publicKey",
            "idempotency_key", "routing_key", "groupKey", "next_token", "nextPageToken", "page_token",
            "NextContinuationToken", "syncToken",
            // These names are statements about secrets.
            "token_type", "tokenType", "expires_in", "token_expires_in", "passwordMinLength", "has_password",
            "is_secret", "requiresAuth", "auth_method", "session_count", "sessionTitle", "signature_method",
            "x-oss-signature-version", "X-Amz-SignedHeaders", "X-Amz-Date", "X-Amz-Algorithm", "password_policy",
            "keyType", "token_url", "secret_name",
            // Azure has these parameters beside the signature.
            "sv", "se", "sp", "sr", "skoid", "spr",
        ]
    )
    func plainParameters(_ name: String) {
        #expect(SecretMask.standard.masking(url: "https://h/?\(name)=a1&b=2") == "https://h/?\(name)=a1&b=2")
        let json = SecretMask.standard.body(Data(#"{"\#(name)":"a1"}"#.utf8), contentType: "application/json")
        #expect(String(decoding: json, as: UTF8.self) == #"{"\#(name)":"a1"}"#)
        #expect(SecretMask(names: [name]).isSecret(name))
    }

    @Test(
        "headers with keys, tokens, signatures and sessions are masked",
        arguments: [
            "X-Functions-Key", "Fastly-Key", "X-Auth-Key", "X-Parse-Master-Key", "X-Parse-REST-API-Key",
            "Authentication",
            "DPoP", "X-JWT-Assertion", "X-Session", "X-Session-Id", "X-Hub-Signature", "X-Hub-Signature-256",
            "X-Api-Key", "Api-Key", "Key", "X-Auth", "X-Authorization", "Signature", "Stripe-Signature",
            "X-Amz-Signature",
            "X-Shopify-Access-Token", "X-MyVaultToken", "X-Twilio-Signature", "X-Consumer-Secret", "X-Pin", "X-OTP",
            "Ocp-Apim-Subscription-Key", "X-Acme-Credentials", "X-Signature-Ed25519",
        ]
    )
    func secretHeaders(_ name: String) {
        for name in [name, name.lowercased(), name.uppercased()] {
            #expect(SecretMask.standard.value("5ecret", ofHeader: name) == "***", "\(name)")
        }
    }

    @Test(
        "headers without credentials are not masked",
        arguments: [
            "Idempotency-Key", "X-Idempotency-Key", "Sec-WebSocket-Key", "Sec-WebSocket-Accept", "Surrogate-Key",
            "X-Cache-Key", "Public-Key-Pins", "WWW-Authenticate", "Proxy-Authenticate", "Authentication-Info",
            "Signature-Input", "X-Author", "X-Keyboard", "X-Next-Token", "X-Auth-Method", "X-Auth-Email",
            "X-RateLimit-Limit", "Content-Security-Policy", "X-Amz-Content-Sha256", "X-Forwarded-For", "ETag",
            "X-Request-Id", "X-Token-Expires", "X-Design",
        ]
    )
    func plainHeaders(_ name: String) {
        for name in [name, name.lowercased()] {
            #expect(SecretMask.standard.value("abc", ofHeader: name) == "abc", "\(name)")
        }
    }

    @Test(
        "the parameter key is secret in URLs, forms and decoded parameters if its value looks like a credential",
        arguments: [
            ("AIzaSyA-12345678901234567890_abcdefghij", true), ("0123456789abcdef0123", true),
            ("0123456789abcdef012", false), ("abcdefghijklmnopqrstuvwxyz", false), ("01234567890123456789", false),
            ("users/2026/0123456789abcdef", false), ("", false),
        ]
    )
    func keyLikeCredential(_ value: String, isSecret: Bool) {
        let mask = SecretMask.standard
        let shown = isSecret ? "***" : value
        #expect(mask.isSecret(parameter: "key", value, beside: ["q"]) == isSecret)
        #expect(!mask.isSecret(parameter: "page", value, beside: ["q"]))
        #expect(mask.masking(url: "https://h/?q=1&key=\(value)&r=2") == "https://h/?q=1&key=\(shown)&r=2")
        let form = mask.body(Data("key=\(value)&q=1".utf8), contentType: "application/x-www-form-urlencoded")
        #expect(String(decoding: form, as: UTF8.self) == "key=\(shown)&q=1")
    }

    @Test(
        "the value of a parameter is examined only if its name is key",
        arguments: [("page", 0), ("policy", 0), ("key", 1)]
    )
    func unreadValue(_ name: String, _ expected: Int) {
        var count = 0
        func value() -> ArraySlice<UInt8> {
            count += 1
            return []
        }
        // The call is outside of the macro, which would evaluate its arguments again.
        let isHidden = SecretNames().isSecret(name, value: value(), isSigned: false)
        #expect(!isHidden)
        #expect(count == expected)
    }

    @Test(
        "the parameters key and policy are masked beside a signature, and a key that looks like an API key is always masked",
        arguments: [
            ("https://h/?key=abc&size=1&signature=5ecret", "https://h/?key=***&size=1&signature=***"),
            ("https://h/?sig=5ecret&key=abc", "https://h/?sig=***&key=***"),
            ("https://h/?Policy=abc&Signature=x&Key-Pair-Id=y", "https://h/?Policy=***&Signature=***&Key-Pair-Id=***"),
            ("https://h/?key=AIzaSyA-12345678901234567890_abcdef&q=1", "https://h/?key=***&q=1"),
            ("https://h/?key=color&policy=strict", "https://h/?key=color&policy=strict"),
            (
                "https://h/?key=uploads/2026/a-photo-of-us-12345.jpg",
                "https://h/?key=uploads/2026/a-photo-of-us-12345.jpg"
            ),
            ("https://h/?key=12345678901234567890", "https://h/?key=12345678901234567890"),
            ("https://h/?key=signature", "https://h/?key=signature"),
            (
                "https://h/?u=https%3A%2F%2Fi%2F%3Fkey%3Dabc%26sig%3Dx",
                "https://h/?u=https%3A%2F%2Fi%2F%3Fkey%3D***%26sig%3D***"
            ),
        ]
    )
    func besideSignature(_ url: String, _ masked: String) {
        #expect(SecretMask.standard.masking(url: url) == masked)
        #expect(SecretMask.standard.masking(url: masked) == masked)
        #expect(SecretMask.standard.maskingQueries(in: "see \(url) now") == "see \(masked) now")
    }

    @Test("an OAuth 1 header, a SAML form and a page's meta element contain no visible secret after masking")
    func documents() {
        let mask = SecretMask.standard
        #expect(
            mask.value(#"OAuth oauth_token="5ecret", oauth_signature="5ecret""#, ofHeader: "Authorization")
                == "OAuth ***"
        )
        let form = mask.body(
            Data("RelayState=x&SAMLResponse=PHNhbWw%2B".utf8),
            contentType: "application/x-www-form-urlencoded"
        )
        #expect(String(decoding: form, as: UTF8.self) == "RelayState=x&SAMLResponse=***")
        let page = mask.body(Data(#"<meta name="csrf-token" content="5ecret">"#.utf8), contentType: "text/html")
        #expect(String(decoding: page, as: UTF8.self) == #"<meta name="csrf-token" content="***">"#)
    }

    @Test(
        "the words of a secret's name are separated by punctuation, digits and changes of case",
        arguments: [
            ("AWSAccessKeyId2", ["aws", "access", "key", "id"]), ("X-Hub-Signature-256", ["x", "hub", "signature"]),
            ("oauth2_token", ["oauth", "token"]), ("userID", ["user", "id"]),
            ("a[b].c:d e", ["a", "b", "c", "d", "e"]),
            ("__", []), ("", []), ("éa_b", ["éa", "b"]), ("HTML", ["html"]),
        ]
    )
    func words(_ name: String, _ words: [String]) { #expect(SecretWords.words(of: name) == words) }
}
