import Foundation

#if canImport(Darwin)
    private let systemName = "Apple"
#elseif os(Linux)
    private let systemName = "Linux"
#else
    private let systemName = "unknown"
#endif

extension HTTPHeaders {
    /// What a session sends unless it is told otherwise: `Accept-Encoding`, `Accept-Language` and `User-Agent`.
    public static let `default`: HTTPHeaders = [
        .defaultAcceptEncoding,
        .defaultAcceptLanguage,
        .defaultUserAgent,
    ]
}

extension HTTPHeader {
    /// The codings that both transports decode (RFC 9110, section 8.4.1): no more is offered.
    public static let defaultAcceptEncoding = acceptEncoding("gzip, deflate")

    /// The user's first six languages, each rated a tenth lower than the one before.
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
        // A program's file name may hold anything; a header may not.
        return String(text.unicodeScalars.map { (0x20...0x7E).contains($0.value) ? Character($0) : "_" })
    }
}
