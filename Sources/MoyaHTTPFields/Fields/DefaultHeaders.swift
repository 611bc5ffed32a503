import Foundation
import HTTPTypes

#if canImport(Darwin)
private let systemName = "Apple"
#elseif os(Linux)
private let systemName = "Linux"
#else
private let systemName = "unknown"
#endif

extension HTTPHeaders {
    /// The default headers of a session: `Accept-Encoding`, `Accept-Language` and `User-Agent`.
    public static let `default`: HTTPHeaders = [
        .defaultAcceptEncoding,
        .defaultAcceptLanguage,
        .defaultUserAgent,
    ]
}

extension HTTPFields {
    /// The headers that URLSession sends when neither the request nor the configuration has them.
    ///
    /// They are the headers of ``HTTPHeaders/default`` and `Accept: */*`, in the order in which they are sent.
    package static let sentUnlessSet: HTTPFields = [
        .userAgent: HTTPHeader.defaultUserAgent.value,
        .accept: "*/*",
        .acceptLanguage: HTTPHeader.defaultAcceptLanguage.value,
        .acceptEncoding: HTTPHeader.defaultAcceptEncoding.value,
    ]
}

extension HTTPHeader {
    /// The content codings that a session decodes (RFC 9110, section 8.4.1): gzip, deflate, and those of the package traits
    /// `Brotli` and `Zstd`.
    ///
    /// A ``URLSessionTransport`` replaces this value, since URLSession decodes bodies itself: on Apple's platforms it selects the
    /// codings, such as `gzip, deflate, br`; on Linux the value is `gzip, deflate`.
    public static let defaultAcceptEncoding = acceptEncoding("gzip, deflate" + brotli + zstd)

    #if Brotli
    private static let brotli = ", br"
    #else
    private static let brotli = ""
    #endif

    #if Zstd
    private static let zstd = ", zstd"
    #else
    private static let zstd = ""
    #endif

    /// The user's first six languages, each with a quality value 0.1 less than the previous one.
    ///
    /// On Linux the environment determines the languages (`LANGUAGE`, `LC_ALL`, `LC_MESSAGES`, `LANG`).
    public static let defaultAcceptLanguage: HTTPHeader = {
        #if canImport(Darwin)
        let languages = Locale.preferredLanguages
        #else
        // On Linux, Foundation does not read the languages from the environment.
        let languages = languageTags(of: ProcessInfo.processInfo.environment)
        #endif
        return acceptLanguage(acceptLanguageValue(for: languages.isEmpty ? ["en"] : languages))
    }()

    /// The program, the system and this library: `program/version (identifier; build:number; system version) Moya/version`.
    ///
    /// Unknown parts are omitted: a program without a bundle sends `program (system version) Moya/version`.
    public static let defaultUserAgent = userAgent(
        userAgentValue(
            info: Bundle.main.infoDictionary ?? [:],
            processName: ProcessInfo.processInfo.processName,
            version: ProcessInfo.processInfo.operatingSystemVersion
        )
    )

    /// Returns the language tags for the environment of a process.
    ///
    /// `LANGUAGE` is a list separated by colons; the others are names of locales, such as `de_AT.UTF-8` and `sr_RS@latin`.
    static func languageTags(of environment: [String: String]) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let language = languageTag(ofLocale: locale)
        // The list is ignored if the locale selects no language, as in gettext.
        let list = language == nil ? [] : (environment["LANGUAGE"] ?? "").split(separator: ":").map(String.init)
        let languages = list.compactMap(languageTag(ofLocale:))
        return languages.isEmpty ? [language].compactMap { $0 } : languages
    }

    private static func languageTag(ofLocale name: String) -> String? {
        let parts = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let tag = parts[0].prefix { $0 != "." }.split(separator: "_", omittingEmptySubsequences: false)
        let isLanguage = (2...3).contains(tag[0].utf8.count) && tag[0].utf8.allSatisfy { (0x61...0x7A).contains($0) }
        guard isLanguage, tag.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 8 && $0.allSatisfy(\.isASCIILetterOrDigit) })
        else { return nil }
        let scripts = ["latin": "Latn", "cyrillic": "Cyrl"]
        let script = parts.count > 1 ? scripts[String(parts[1])] : nil
        return ([String(tag[0])] + [script].compactMap { $0 } + tag.dropFirst().map(String.init)).joined(separator: "-")
    }

    static func acceptLanguageValue(for languages: [String]) -> String {
        languages.prefix(6).enumerated()
            .map { index, language in index == 0 ? "\(language);q=1.0" : "\(language);q=0.\(10 - index)" }
            .joined(separator: ", ")
    }

    static func userAgentValue(info: [String: Any], processName: String, version: OperatingSystemVersion) -> String {
        func value(_ key: String) -> String? { (info[key] as? String).flatMap { $0.isEmpty ? nil : $0 } }
        let name = value("CFBundleExecutable") ?? processName
        let product = value("CFBundleShortVersionString").map { "\(name)/\($0)" } ?? name
        let comment = [
            value("CFBundleIdentifier"),
            value("CFBundleVersion").map { "build:\($0)" },
            "\(systemName) \(version.majorVersion).\(version.minorVersion).\(version.patchVersion)",
        ]
        let text = "\(product) (\(comment.compactMap { $0 }.joined(separator: "; "))) Moya/\(LibraryVersion.current)"
        // The file name of a program may contain characters that are not allowed in a header.
        return String(text.unicodeScalars.map { (0x20...0x7E).contains($0.value) ? Character($0) : "_" })
    }
}

extension Character {
    fileprivate var isASCIILetterOrDigit: Bool { isASCII && (isLetter || isNumber) }
}
