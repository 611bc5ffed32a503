import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite("The target URL of a redirect is found in Location")
struct RedirectLocationTests {
    private func target(_ headers: HTTPFields, base: String = "https://u:p@a.example:8080/b/c?d#e") throws -> String? {
        RedirectLocation.url(in: headers, base: try #require(URL(string: base)))?.absoluteString
    }

    @Test(
        "the target URL of a redirect is the URL in Location",
        arguments: [
            ("an absolute URL is used", "http://b.example/x?y#z", "http://b.example/x?y#z"),
            ("RFC 9110, 10.2.2: a path is resolved", "/x", "https://a.example:8080/x#e"),
            ("RFC 9110, 10.2.2: a relative path is resolved", "x", "https://a.example:8080/b/x#e"),
            ("RFC 9110, 10.2.2: another host is resolved", "//b.example/x", "https://b.example/x#e"),
            ("RFC 9110, 10.2.2: a query without a path is resolved", "?x", "https://a.example:8080/b/c?x#e"),
            ("RFC 9110, 10.2.2: the fragment is inherited", "http://b.example/", "http://b.example/#e"),
            ("RFC 9110, 10.2.2: a fragment replaces the inherited one", "http://b.example/#x", "http://b.example/#x"),
            (
                "RFC 9110, 10.2.2: an empty fragment replaces the inherited one", "http://b.example/#",
                "http://b.example/#"
            ),
            ("a fragment without a path is resolved", "#x", "https://a.example:8080/b/c?d#x"),
            ("RFC 3986, 3.1: a scheme may be in capitals", "HTTP://b.example/#", "HTTP://b.example/#"),
            ("RFC 3986, 3.2.1: the user is removed", "http://u:p@b.example/#", "http://b.example/#"),
            ("the last @ ends the user", "http://u@c.example@b.example/#", "http://b.example/#"),
            ("RFC 3986, 3.2.2: an IPv6 address is a host", "http://[2001:DB8::1]:81/#", "http://[2001:DB8::1]:81/#"),
            ("RFC 3986, 3.2.3: an empty port is removed", "http://b.example:/#", "http://b.example/#"),
            (
                "RFC 3986, 3.2.3: leading zeros of a port are removed", "http://b.example:00080/#",
                "http://b.example:80/#"
            ),
            ("the highest port is valid", "http://b.example:65535/#", "http://b.example:65535/#"),
            ("RFC 3986, 5.2.4: dot segments are removed", "http://b.example/x/../y/.#", "http://b.example/y/#"),
            ("surrounding whitespace is removed", " \t/x ", "https://a.example:8080/x#e"),
            ("spaces are encoded", "/x y?z w", "https://a.example:8080/x%20y?z%20w#e"),
            (
                "bytes that are not ASCII are encoded", "/\u{FC}?\u{20AC}#\u{E9}",
                "https://a.example:8080/%C3%BC?%E2%82%AC#%C3%A9"
            ),
            ("existing escapes are kept", "/%C3%BC?a=%20\u{FC}", "https://a.example:8080/%C3%BC?a=%20%C3%BC#e"),
            ("a percent sign without digits is encoded", "/100%?%zz%2", "https://a.example:8080/100%25?%25zz%252#e"),
            (
                "characters that a URL must not have are encoded", "/\"<>\\^`{|}",
                "https://a.example:8080/%22%3C%3E%5C%5E%60%7B%7C%7D#e"
            ),
            ("brackets are encoded", "/?a[]=%20", "https://a.example:8080/?a%5B%5D=%20#e"),
            ("a backslash is not a slash", "\\\\b.example/x", "https://a.example:8080/b/%5C%5Cb.example/x#e"),
            ("repeated slashes are kept", "/x//y", "https://a.example:8080/x//y#e"),
            ("another scheme is kept", "myapp://cb/x?code=1", "myapp://cb/x?code=1#e"),
            ("the user is removed with another scheme", "myapp://u:p@cb/", "myapp://cb/#e"),
            ("another scheme may have no authority", "mailto:x@b.example", "mailto:x@b.example#e"),
            ("a colon after a digit does not end a scheme", "1:2", "https://a.example:8080/b/1:2#e"),
            ("a colon in a query does not end a scheme", "?a:b", "https://a.example:8080/b/c?a:b#e"),
            (
                "a combining mark does not hide a slash", "http://b.example/\u{301}@c.example/#",
                "http://b.example/%CC%81@c.example/#"
            ),
        ]
    )
    func location(rule: String, value: String, url: String) throws {
        let target = try target(.location(value))
        #expect(target == url, "\(rule)")
    }

    @Test(
        "a control character in Location is encoded in the path, removed around the URL, and not allowed in the host",
        arguments: [
            ("/a\u{1}b?\u{7F}#\u{1B}c", "https://a.example:8080/a%01b?%7F#%1Bc"),
            ("/a\tb", "https://a.example:8080/a%09b#e"), ("\u{1}\u{1F}/a\u{1} ", "https://a.example:8080/a#e"),
            ("http://b\u{1}.example/", nil), ("http://b.example:8\u{1}0/", nil),
        ] as [(String, String?)]
    )
    func controlCharacters(value: String, url: String?) throws {
        let field = HTTPField(name: .location, lenientValue: Array(value.utf8))
        #expect(try target(HTTPFields([field])) == url)
    }

    @Test(
        "a redirect has no target URL if Location cannot be parsed",
        arguments: [
            ("empty", ""), ("space", " "), ("no host before the path", "http:///x"), ("no slashes", "http:x"),
            ("a scheme alone", "https:"),
            ("an empty host", "//"), ("an empty host with a port", "http://:80/"), ("a user and no host", "http://u@/"),
            ("a port of 17 bits", "http://b.example:65536/"), ("a huge port", "http://b.example:99999999999999999999/"),
            ("a port that is not a number", "http://b.example:x/"), ("a negative port", "http://b.example:-1/"),
            ("a signed port", "http://b.example:+80/"), ("two ports", "http://b.example:80:80/"),
            ("space in the host", "http://b .example/"), ("an encoded host", "http://b%2Eexample/"),
            ("a line break in the host", "http://b.example%0D%0AX:y/"),
            ("a backslash", "http://b.example\\@c.example/"),
            ("a backslash in place of a slash", "http:\\\\b.example/"), ("an open bracket", "http://[::1/"),
            ("text after a bracket", "http://[::1]x/"), ("no address in brackets", "http://[b.example]/"),
            ("a zone", "http://[fe80::1%25eth0]/"), ("an address without brackets", "http://::1/"),
            ("a name with a full-width slash", "http://b\u{FF0F}c.example/"),
            ("a name with a character that normalizes to a slash", "http://\u{2100}.example/"),
        ]
    )
    func nowhere(rule: String, value: String) throws {
        let target = try target(.location(value))
        #expect(target == nil, "\(rule)")
    }

    @Test("a redirect has no target URL without a Location, or with several different Location fields")
    func several() throws {
        let none = try target([:])
        #expect(none == nil)
        let same = try target(.location("/x", "/x"))
        #expect(same == "https://a.example:8080/x#e")
        let different = try target(.location("/x", "/y"))
        #expect(different == nil)
    }

    @Test("the target URL of an international name is its ASCII form, or is missing")
    func otherScripts() throws {
        let target = try target(.location("http://b\u{FC}cher.example/#"))
        #expect(target == nil || target == "http://xn--bcher-kva.example/#")
    }

    @Test("the target URL of a redirect is a URL or missing for all bytes in Location", arguments: 0..<10)
    func anyBytes(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("htp:/@[]?#%.\\ a1\u{301}\u{E4}-")
        for _ in 0..<200 {
            let value = String((0..<12).compactMap { _ in alphabet.randomElement(using: &generator) })
            for value in [value, "http:" + value, "//" + value, "http://b" + value] {
                guard let target = try target(.location(value)), target.lowercased().hasPrefix("http") else { continue }
                let url = try #require(URL(string: target))
                // Foundation finds the same host that was checked.
                let authority = URLReference(target).authority
                #expect(url.user == nil && url.hasValidPort, "seed \(seed), \(value.debugDescription)")
                if let scheme = url.scheme, ["http", "https"].contains(scheme.lowercased()) {
                    #expect(
                        authority?.contains(try #require(url.host)) == true,
                        "seed \(seed), \(value.debugDescription)"
                    )
                }
            }
        }
    }
}
