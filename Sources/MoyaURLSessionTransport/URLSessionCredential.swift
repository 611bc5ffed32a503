#if canImport(Security)
// Tested on Linux with fakes (scripts/data/apple-tests); not tested on Apple platforms.
import CommonCrypto
import CryptoKit
import Foundation
import Security

/// A client identity for URLSession.
// Unchecked because URLCredential is not marked Sendable, although it is immutable.
struct URLSessionCredential: @unchecked Sendable {
    let credential: URLCredential

    init(_ identity: ClientIdentity) throws(TransportConfigurationError) {
        let (archive, passphrase) = try identity.archive(by: .system, for: "URLSessionTransport")
        var options: [String: Any] = [kSecImportExportPassphrase as String: passphrase]
        // Otherwise macOS stores the key in the user's keychain. Other systems never do that.
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            options[kSecImportToMemoryOnly as String] = true
        }
        var items: CFArray?
        let status = SecPKCS12Import(archive as CFData, options as CFDictionary, &items)
        var found = (items as? [[String: Any]])?.lazy.compactMap(Self.imported).first
        #if os(macOS)
        if status == PKCS12ImportStatus.duplicateItem {
            found = Self.stored(identity, in: archive, passphrase: passphrase)
        }
        #endif
        guard let found else {
            throw .invalid(.clientIdentity, reason: PKCS12ImportStatus(status, archive: archive).text)
        }
        credential = URLCredential(
            identity: found.identity,
            certificates: found.issuers,
            persistence: .forSession
        )
    }

    private typealias Found = (identity: SecIdentity, issuers: [SecCertificate])

    /// Returns the identity of an imported item, if it has one.
    private static func imported(_ item: [String: Any]) -> Found? {
        guard let found = item[kSecImportItemIdentity as String],
            CFGetTypeID(found as CFTypeRef) == SecIdentityGetTypeID()
        else { return nil }
        let chain = item[kSecImportItemCertChain as String] as? [SecCertificate] ?? []
        // The type has been checked. Swift does not allow a conditional cast to a CF type, which always succeeds.
        return (unsafeDowncast(found as AnyObject, to: SecIdentity.self), Array(chain.dropFirst()))
    }
}

#if os(macOS)
extension URLSessionCredential {
    /// Returns the identity that an earlier import has stored in the user's keychain.
    ///
    /// Before macOS 15 each import stores the key, and fails if the keychain already has it.
    private static func stored(_ identity: ClientIdentity, in archive: Data, passphrase: String) -> Found? {
        let certificates =
            switch identity.source {
            case .certificates(let certificates, _, _, _):
                certificates.compactMap { SecCertificateCreateWithData(nil, $0.der as CFData) }
            case .pkcs12: Self.certificates(of: archive, passphrase)
            }
        for certificate in certificates {
            var stored: SecIdentity?
            guard SecIdentityCreateWithCertificate(nil, certificate, &stored) == errSecSuccess, let stored
            else {
                continue
            }
            return (stored, certificates.filter { $0 !== certificate })
        }
        return nil
    }

    /// Returns the certificates of an archive.
    ///
    /// Nothing is stored, because no keychain is passed.
    private static func certificates(of archive: Data, _ passphrase: String) -> [SecCertificate] {
        var (format, type) = (SecExternalFormat.formatPKCS12, SecExternalItemType.itemTypeAggregate)
        let secret = passphrase as CFTypeRef
        var parameters = SecItemImportExportKeyParameters()
        parameters.version = UInt32(SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION)
        parameters.passphrase = Unmanaged.passUnretained(secret)
        var items: CFArray?
        let status = withExtendedLifetime(secret) {
            SecItemImport(archive as CFData, nil, &format, &type, [], &parameters, nil, &items)
        }
        guard status == errSecSuccess, let items = items as? [AnyObject] else { return [] }
        return items.compactMap { item in
            if CFGetTypeID(item) == SecCertificateGetTypeID() {
                return unsafeDowncast(item, to: SecCertificate.self)
            }
            guard CFGetTypeID(item) == SecIdentityGetTypeID() else { return nil }
            var certificate: SecCertificate?
            SecIdentityCopyCertificate(unsafeDowncast(item, to: SecIdentity.self), &certificate)
            return certificate
        }
    }
}
#endif

extension PKCS12Writer {
    /// The writer with the system's functions.
    fileprivate static let system = PKCS12Writer(
        sha1: { Array(Insecure.SHA1.hash(data: $0)) },
        encrypt: { data, key, initialVector in
            let bytes = Array(data)
            var encrypted = [UInt8](repeating: 0, count: bytes.count + kCCBlockSize3DES)
            var count = 0
            let status = CCCrypt(
                CCOperation(kCCEncrypt),
                CCAlgorithm(kCCAlgorithm3DES),
                CCOptions(kCCOptionPKCS7Padding),
                key,
                key.count,
                initialVector,
                bytes,
                bytes.count,
                &encrypted,
                encrypted.count,
                &count
            )
            return status == kCCSuccess ? Data(encrypted.prefix(count)) : nil
        }
    )
}
#endif
