// swift-format-ignore-file
// Foundation as it is on Apple's platforms: one module, and with what the one for Linux lacks.
@_exported import CoreFoundationStub
@_exported import FoundationClasses
@_exported import ObjectiveC
@_exported import Security

// Not `Sendable`, so that a capture of one is found.
@available(*, unavailable)
extension Stream: @unchecked @retroactive Sendable {}

extension Stream {
    public class func getBoundStreams(
        withBufferSize bufferSize: Int,
        inputStream: AutoreleasingUnsafeMutablePointer<InputStream?>?,
        outputStream: AutoreleasingUnsafeMutablePointer<OutputStream?>?
    ) { fatalError() }
}

public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>

extension URLCredential {
    public convenience init(trust: SecTrust) { fatalError() }
    public convenience init(identity: SecIdentity, certificates: [Any]?, persistence: Persistence) { fatalError() }
}

extension URLProtectionSpace {
    public var serverTrust: SecTrust? { fatalError() }
}

extension URLSessionConfiguration {
    public var tlsMinimumSupportedProtocolVersion: FoundationNetworking.tls_protocol_version_t {
        get { fatalError() }
        set { fatalError() }
    }
}

public let NSURLAuthenticationMethodClientCertificate = ""

public struct HTTPCookieStringPolicy: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let sameSiteLax = Self(rawValue: "lax")
    public static let sameSiteStrict = Self(rawValue: "strict")
}

extension HTTPCookie {
    public var sameSitePolicy: HTTPCookieStringPolicy? { fatalError() }
}

extension HTTPCookiePropertyKey {
    public static let sameSitePolicy = HTTPCookiePropertyKey(rawValue: "SameSite")
}

// Texts on Linux.
extension URLSessionTaskTransactionMetrics {
    public var darwin_remotePort: Int? { fatalError() }
    public var darwin_localPort: Int? { fatalError() }
}
