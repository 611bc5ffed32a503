// swift-format-ignore-file
// The functions and types have Security's declarations. `FakeSecurity` scripts their results for scripts/data/apple-tests.
import CoreFoundationStub
import Foundation

public typealias OSStatus = Int32
public let errSecSuccess: OSStatus = 0
public let errSecHostNameMismatch: OSStatus = -67602

public class SecCertificate: IdentifiedType {
    public static var typeID: CFTypeID { 1 }
    public let der: Data
    public init(der: Data) { self.der = der }
}

public class SecIdentity: IdentifiedType {
    public static var typeID: CFTypeID { 2 }
    public let certificate: SecCertificate
    public init(_ certificate: SecCertificate) { self.certificate = certificate }
}

public class SecPolicy {
    public enum Kind: Equatable {
        case ssl(host: String?)
        case revocation(CFOptionFlags)
        case pinnedDomains
    }
    public let kind: Kind
    public init(_ kind: Kind) { self.kind = kind }
}

/// A trust object for a server whose certificate has the names, and whose presented chain leads to the root.
public class SecTrust {
    public let names: [String]
    public let presented: [SecCertificate]
    public let root: SecCertificate
    public let isRevoked: Bool
    public var policies: [SecPolicy]
    public var anchors: [SecCertificate]?
    public var trustsAnchorsOnly = false
    public var evaluations = 0

    public init(host: String, names: [String], presented: [Data], root: Data, isRevoked: Bool = false) {
        (self.names, self.presented) = (names, presented.map(SecCertificate.init))
        (self.root, self.isRevoked) = (SecCertificate(der: root), isRevoked)
        // NSPinnedDomains of the application is a second policy beside the policy with the host name.
        policies = [SecPolicy(.ssl(host: host)), SecPolicy(.pinnedDomains)]
    }
}

public enum FakeSecurity {
    public static nonisolated(unsafe) var systemRoots: Set<Data> = []
    /// The result of `SecPKCS12Import`.
    public static nonisolated(unsafe) var importStatus: OSStatus = 0
    public static nonisolated(unsafe) var importedItems: [[String: Any]] = []
    /// The arguments of the last `SecPKCS12Import`.
    public static nonisolated(unsafe) var importedArchive: Data?
    public static nonisolated(unsafe) var importOptions: [String: Any] = [:]
    /// The identities in the keychain by certificate.
    public static nonisolated(unsafe) var keychain: [Data: SecIdentity] = [:]
    /// The result of `SecItemImport`.
    public static nonisolated(unsafe) var itemsOfArchive: [AnyObject] = []
}

public func SecIdentityGetTypeID() -> CFTypeID { SecIdentity.typeID }
public func SecCertificateCreateWithData(_ allocator: AnyObject?, _ data: CFData) -> SecCertificate? {
    // A certificate in DER begins with a sequence.
    data.bridged.first == 0x30 ? SecCertificate(der: data.bridged) : nil
}
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { CFData(bridging: certificate.der) }
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { SecPolicy(.ssl(host: hostname?.bridged)) }
public typealias CFOptionFlags = UInt
public func SecPolicyCreateRevocation(_ flags: CFOptionFlags) -> SecPolicy? { SecPolicy(.revocation(flags)) }
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    policies.pointee = CFArray(bridging: trust.policies)
    return errSecSuccess
}
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    trust.policies = (policies as? SecPolicy).map { [$0] } ?? (policies as! CFArray).bridged as! [SecPolicy]
    return errSecSuccess
}
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ certificates: CFArray?) -> OSStatus {
    trust.anchors = certificates?.bridged as! [SecCertificate]?
    trust.trustsAnchorsOnly = certificates != nil
    return errSecSuccess
}
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ only: Bool) -> OSStatus {
    trust.trustsAnchorsOnly = only
    return errSecSuccess
}
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    trust.evaluations += 1
    func refuse(_ code: CFIndex, _ text: String) -> Bool {
        error?.pointee = CFError(code: code, text: text)
        return false
    }
    for policy in trust.policies {
        switch policy.kind {
        case .ssl(let host?) where !trust.names.contains(host): return refuse(CFIndex(errSecHostNameMismatch), "another host")
        case .revocation where trust.isRevoked: return refuse(-67820, "is revoked")
        default: break
        }
    }
    let anchors = (trust.anchors ?? []).map(\.der)
    let isAnchored = anchors.contains { $0 == trust.root.der || trust.presented.map(\.der).contains($0) }
    return isAnchored || !trust.trustsAnchorsOnly && FakeSecurity.systemRoots.contains(trust.root.der)
        || refuse(-67843, "is not trusted")
}
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { CFArray(bridging: trust.presented + [trust.root]) }
public func SecPKCS12Import(
    _ data: CFData,
    _ options: CFDictionary,
    _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    (FakeSecurity.importedArchive, FakeSecurity.importOptions) = (data.bridged, options.bridged)
    items.pointee = FakeSecurity.importStatus == errSecSuccess ? CFArray(bridging: FakeSecurity.importedItems) : nil
    return FakeSecurity.importStatus
}

public let kSecImportExportPassphrase: CFString = "passphrase"
public let kSecImportToMemoryOnly: CFString = "memory"
public let kSecImportItemIdentity: CFString = "identity"
public let kSecImportItemCertChain: CFString = "chain"

public func SecCertificateGetTypeID() -> CFTypeID { SecCertificate.typeID }
@discardableResult
public func SecIdentityCopyCertificate(
    _ identityRef: SecIdentity,
    _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
    certificateRef.pointee = identityRef.certificate
    return errSecSuccess
}

// The function exists only on macOS.
public func SecIdentityCreateWithCertificate(
    _ keychainOrArray: CFTypeRef?,
    _ certificateRef: SecCertificate,
    _ identityRef: UnsafeMutablePointer<SecIdentity?>
) -> OSStatus {
    identityRef.pointee = FakeSecurity.keychain[certificateRef.der]
    return identityRef.pointee == nil ? -25300 : errSecSuccess
}
public class SecKeychain {}
public enum SecExternalFormat: UInt32, Sendable { case formatPKCS12 = 12 }
public enum SecExternalItemType: UInt32, Sendable { case itemTypeAggregate = 5 }
public struct SecItemImportExportFlags: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
}
public let SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION: Int32 = 0
public struct SecItemImportExportKeyParameters {
    public var version: UInt32 = 0
    public var passphrase: Unmanaged<CFTypeRef>?
    public init() {}
}
public func SecItemImport(
    _ importedData: CFData,
    _ fileNameOrExtension: CFString?,
    _ inputFormat: UnsafeMutablePointer<SecExternalFormat>?,
    _ itemType: UnsafeMutablePointer<SecExternalItemType>?,
    _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?,
    _ importKeychain: SecKeychain?,
    _ outItems: UnsafeMutablePointer<CFArray?>?
) -> OSStatus {
    outItems?.pointee = CFArray(bridging: FakeSecurity.itemsOfArchive)
    return errSecSuccess
}
