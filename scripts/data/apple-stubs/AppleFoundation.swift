// swift-format-ignore-file
// This module stands for Foundation on Apple's platforms: one module, with the declarations that Foundation on Linux lacks.
@_exported import CoreFoundationStub
@_exported import FoundationClasses
@_exported import ObjectiveC
@_exported import Security

// Stream is not `Sendable` on Apple's platforms, so that the compiler finds captures of streams.
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

/// The values of a property that the class on Linux does not have, by object.
public final class Associated<Value>: @unchecked Sendable {
    private var values: [ObjectIdentifier: (object: AnyObject, value: Value)] = [:]
    public subscript(_ object: AnyObject) -> Value? {
        get { values[ObjectIdentifier(object)]?.value }
        // The object is kept, because another object could otherwise get its address.
        set { values[ObjectIdentifier(object)] = newValue.map { (object, $0) } }
    }
}

public enum AssociatedValues {
    public static let trusts = Associated<SecTrust>()
    public static let identities = Associated<(identity: SecIdentity, certificates: [Any]?)>()
    public static let minimumVersions = Associated<FoundationNetworking.tls_protocol_version_t>()
}

extension URLCredential {
    public convenience init(trust: SecTrust) {
        self.init(user: "", password: "", persistence: .none)
        AssociatedValues.trusts[self] = trust
    }
    public convenience init(identity: SecIdentity, certificates: [Any]?, persistence: Persistence) {
        self.init(user: "", password: "", persistence: persistence)
        AssociatedValues.identities[self] = (identity, certificates)
    }
}

extension URLProtectionSpace {
    public var serverTrust: SecTrust? { AssociatedValues.trusts[self] }
}

extension URLSessionConfiguration {
    public var tlsMinimumSupportedProtocolVersion: FoundationNetworking.tls_protocol_version_t {
        get { AssociatedValues.minimumVersions[self] ?? .TLSv10 }
        set { AssociatedValues.minimumVersions[self] = newValue }
    }
}

public let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"

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

// Ports are integers on Apple's platforms, and texts on Linux.
extension URLSessionTaskTransactionMetrics {
    public var darwin_remotePort: Int? { fatalError() }
    public var darwin_localPort: Int? { fatalError() }
}
