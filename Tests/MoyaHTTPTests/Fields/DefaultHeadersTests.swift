import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPFields

@Suite("The default headers describe the session and its program")
struct DefaultHeadersTests {
    #if canImport(Darwin)
    private static let system = "Apple"
    #else
    private static let system = "Linux"
    #endif

    private static let library = "Moya/\(LibraryVersion.current)"
    private static let version = OperatingSystemVersion(majorVersion: 6, minorVersion: 1, patchVersion: 2)

    private static func agent(_ info: [String: Any] = [:], _ processName: String = "tool") -> String {
        HTTPHeader.userAgentValue(info: info, processName: processName, version: version)
    }

    @Test("the three default headers have a fixed order, and only the codings that a session decodes")
    func three() {
        #expect(HTTPHeaders.default.map(\.name) == ["Accept-Encoding", "Accept-Language", "User-Agent"])
        let codings = ContentCoding.allCases.map(\.rawValue).joined(separator: ", ")
        #expect(HTTPHeaders.default["Accept-Encoding"] == codings)
        for header in HTTPHeaders.default {
            #expect(HTTPField.isValidValue(header.value), "\(header)")
            #expect(!header.value.isEmpty)
        }
    }

    @Test("fact 45: the User-Agent is program/version (identifier; build:number; system version) and this library")
    func userAgent() throws {
        let info: [String: Any] = [
            "CFBundleExecutable": "App", "CFBundleShortVersionString": "1.2", "CFBundleIdentifier": "org.example.app",
            "CFBundleVersion": "34",
        ]
        #expect(Self.agent(info) == "App/1.2 (org.example.app; build:34; \(Self.system) 6.1.2) \(Self.library)")
        #expect(Self.agent() == "tool (\(Self.system) 6.1.2) \(Self.library)")
        let odd: [String: Any] = ["CFBundleExecutable": "", "CFBundleVersion": 34, "CFBundleIdentifier": Date()]
        #expect(Self.agent(odd) == "tool (\(Self.system) 6.1.2) \(Self.library)")
        #expect(Self.agent(["CFBundleVersion": "3"]) == "tool (build:3; \(Self.system) 6.1.2) \(Self.library)")
        let form = #/[^/ ]+(/[^ ]+)? \(([^;]+; )*(Apple|Linux) \d+\.\d+\.\d+\) Moya/\d+\.\d+\.\d+/#
        #expect(try form.wholeMatch(in: HTTPHeader.defaultUserAgent.value) != nil)
    }

    @Test(
        "the User-Agent of any program has no control and no non-ASCII characters",
        arguments: [
            ("évil", "_vil"), ("e\u{301}vil", "e_vil"), ("a\r\nX-Evil: 1", "a__X-Evil: 1"), ("a\nb", "a_b"),
            ("\0", "_"), ("\u{7F}\u{1B}[0m", "__[0m"), ("\t", "_"), ("😀", "_"), ("中文", "__"), ("\u{85}\u{2028}", "__"),
            ("a b~", "a b~"),
        ]
    )
    func hostileNames(_ name: String, written: String) {
        #expect(Self.agent([:], name).hasPrefix("\(written) ("))
        let info = ["CFBundleExecutable", "CFBundleShortVersionString", "CFBundleIdentifier", "CFBundleVersion"]
        let text = Self.agent(Dictionary(uniqueKeysWithValues: info.map { ($0, name) }))
        #expect(text == "\(written)/\(written) (\(written); build:\(written); \(Self.system) 6.1.2) \(Self.library)")
        #expect(text.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }

    @Test(
        "the first six languages of Accept-Language have quality values in steps of a tenth",
        arguments: [
            ([], ""),
            (["en"], "en;q=1.0"),
            (["de-AT", "en"], "de-AT;q=1.0, en;q=0.9"),
            (["a", "b", "c", "d", "e", "f"], "a;q=1.0, b;q=0.9, c;q=0.8, d;q=0.7, e;q=0.6, f;q=0.5"),
            (["a", "b", "c", "d", "e", "f", "g", "h"], "a;q=1.0, b;q=0.9, c;q=0.8, d;q=0.7, e;q=0.6, f;q=0.5"),
        ]
    )
    func languages(_ languages: [String], value: String) {
        #expect(HTTPHeader.acceptLanguageValue(for: languages) == value)
    }

    @Test(
        "the environment determines the languages of Accept-Language",
        arguments: [
            ([:], []), (["LANG": ""], []), (["LANG": "C"], []), (["LANG": "C.UTF-8"], []), (["LANG": "POSIX"], []),
            (["LANG": "en_US.UTF-8"], ["en-US"]), (["LANG": "de_AT@euro"], ["de-AT"]), (["LANG": "fr"], ["fr"]),
            (["LANG": "sr_RS.UTF-8@latin"], ["sr-Latn-RS"]), (["LANG": "es_419"], ["es-419"]),
            (["LANG": "en_US", "LC_ALL": "de_DE"], ["de-DE"]), (["LANG": "en_US", "LC_MESSAGES": "de_DE"], ["de-DE"]),
            (["LANG": "en_US", "LC_ALL": "", "LC_MESSAGES": ""], ["en-US"]), (["LC_ALL": "C", "LANG": "en_US"], []),
            (["LANG": "en_US", "LANGUAGE": "fr:de_CH:C:"], ["fr", "de-CH"]),
            (["LANG": "en_US", "LANGUAGE": ""], ["en-US"]),
            (["LANG": "C", "LANGUAGE": "fr"], []), (["LANG": "\r\nX: y"], []), (["LANG": "en_\r\nX"], []),
            (["LANG": "_"], []),
            (["LANG": "english"], []), (["LANG": "EN_us"], []), (["LANG": "é_US"], []), (["LANG": "en_123456789"], []),
        ] as [([String: String], [String])]
    )
    func environment(_ environment: [String: String], _ languages: [String]) {
        #expect(HTTPHeader.languageTags(of: environment) == languages)
    }

    @Test("the default Accept-Language has at least one language range of the system (RFC 4647, section 2.1)")
    func systemLanguages() throws {
        let range = #/[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*;q=(1\.0|0\.[5-9])/#
        let offers = HTTPHeader.defaultAcceptLanguage.value.components(separatedBy: ", ")
        #expect((1...6).contains(offers.count))
        for offer in offers { #expect(try range.wholeMatch(in: offer) != nil, "\(offer)") }
    }
}
