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
    /// The values are those of ``HTTPHeaders/default``, and `Accept: */*`.
    static let sentUnlessSet: HTTPFields = {
        var fields: HTTPFields = [.accept: "*/*"]
        for header in HTTPHeaders.default {
            if let name = HTTPField.Name(header.name) { fields[name] = header.value }
        }
        return fields
    }()
}

extension HTTPHeader {
    /// The content codings that all transports decode (RFC 9110, section 8.4.1).
    public static let defaultAcceptEncoding = acceptEncoding("gzip, deflate")

    /// The user's first six languages, each with a quality value 0.1 less than the previous one.
    public static let defaultAcceptLanguage = acceptLanguage(
        rated(Locale.preferredLanguages.isEmpty ? ["en"] : Locale.preferredLanguages)
    )

    /// The program, the system and this library: `program/version (identifier; build:number; system version) Moya`.
    public static let defaultUserAgent = userAgent(
        agent(
            info: Bundle.main.infoDictionary ?? [:],
            processName: ProcessInfo.processInfo.processName,
            version: ProcessInfo.processInfo.operatingSystemVersion
        )
    )

    static func rated(_ languages: [String]) -> String {
        languages.prefix(6).enumerated()
            .map { index, language in index == 0 ? "\(language);q=1.0" : "\(language);q=0.\(10 - index)" }
            .joined(separator: ", ")
    }

    static func agent(info: [String: Any], processName: String, version: OperatingSystemVersion) -> String {
        func value(_ key: String) -> String? { (info[key] as? String).flatMap { $0.isEmpty ? nil : $0 } }
        let name = value("CFBundleExecutable") ?? processName
        let text =
            "\(name)/\(value("CFBundleShortVersionString") ?? "unknown")"
            + " (\(value("CFBundleIdentifier") ?? "unknown"); build:\(value("CFBundleVersion") ?? "unknown");"
            + " \(systemName) \(version.majorVersion).\(version.minorVersion).\(version.patchVersion)) Moya"
        // The file name of a program may contain characters that are not allowed in a header.
        return String(text.unicodeScalars.map { (0x20...0x7E).contains($0.value) ? Character($0) : "_" })
    }
}
