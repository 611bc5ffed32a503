// swift-format-ignore-file
import CoreFoundationStub

public typealias OSStatus = Int32
public let errSecSuccess: OSStatus = 0
public let errSecHostNameMismatch: OSStatus = -67602

public class SecCertificate {}
public class SecIdentity {}
public class SecPolicy {}
public class SecTrust {}

public func SecIdentityGetTypeID() -> CFTypeID { fatalError() }
public func SecCertificateCreateWithData(_ allocator: AnyObject?, _ data: CFData) -> SecCertificate? { fatalError() }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { fatalError() }
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { fatalError() }
public typealias CFOptionFlags = UInt
public func SecPolicyCreateRevocation(_ flags: CFOptionFlags) -> SecPolicy? { fatalError() }
public func SecTrustCopyPolicies(_ trust: SecTrust, _ policies: UnsafeMutablePointer<CFArray?>) -> OSStatus { fatalError() }
@discardableResult
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus { fatalError() }
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ certificates: CFArray?) -> OSStatus { fatalError() }
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ only: Bool) -> OSStatus { fatalError() }
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool { fatalError() }
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { fatalError() }
public func SecPKCS12Import(
    _ data: CFData,
    _ options: CFDictionary,
    _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { fatalError() }

public let kSecImportExportPassphrase: CFString = ""
public let kSecImportToMemoryOnly: CFString = ""
public let kSecImportItemIdentity: CFString = ""
public let kSecImportItemCertChain: CFString = ""
