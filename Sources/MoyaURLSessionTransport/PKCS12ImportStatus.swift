import Foundation

/// A status with which Security refuses a PKCS#12 archive.
///
/// The statuses are numbers here, so that the texts can be tested on systems without Security.
struct PKCS12ImportStatus: Sendable {
    /// The OSStatus.
    let code: Int32
    /// Whether the archive is encrypted with the default algorithms of newer tools.
    let usesNewerAlgorithms: Bool

    init(_ code: Int32, archive: Data) {
        self.code = code
        usesNewerAlgorithms = Self.newerAlgorithms.contains { archive.range(of: Data($0)) != nil }
    }

    /// The reason and a remedy; the text includes neither the key nor the passphrase.
    var text: String {
        guard let known = Self.texts[code] else { return "Security returned the status \(code)." }
        return Self.refusals.contains(code) && usesNewerAlgorithms ? "\(known) \(Self.explanation)" : known
    }

    /// A status of this library for an archive that Security has read, and that contains no identity.
    static let withoutIdentity: Int32 = 0
    /// `errSecDuplicateItem`.
    static let duplicateItem: Int32 = -25299

    private static let texts: [Int32: String] = [
        withoutIdentity: "The PKCS#12 archive has no certificate with its private key.",
        // errSecAuthFailed
        -25293: "The PKCS#12 archive has another passphrase, or is damaged.",
        // errSecPkcs12VerifyFailure
        -25264: "The PKCS#12 archive has another passphrase, or is damaged.",
        // errSecPassphraseRequired
        -25260: "The PKCS#12 archive needs a passphrase.",
        // errSecDecode
        -26275: "The data is not a PKCS#12 archive, or is damaged, or has a key that is neither RSA nor EC.",
        // errSecUnknownFormat
        -25257: "The data is not a PKCS#12 archive.",
        // errSecUnsupportedFormat
        -25256: "The PKCS#12 archive has a format that Security does not read.",
        duplicateItem: "The key is in a keychain, but no identity with its certificate is there. Remove the key.",
        // errSecInteractionNotAllowed
        -25308: "The keychain is locked, and the user cannot be asked to unlock it now.",
        // errSecInteractionRequired
        -25315: "The keychain is locked, and the user cannot be asked to unlock it now.",
        // errSecUserCanceled
        -128: "The user refused access to the keychain.",
        // errSecNoDefaultKeychain
        -25307: "The user has no default keychain, in which macOS stores the key before macOS 15.",
        // errSecMissingEntitlement
        -34018: "The application lacks an entitlement for the keychain.",
    ]

    /// The statuses that Security also returns if it does not know the algorithms of an archive.
    private static let refusals: Set<Int32> = [-25293, -25264, -26275, -25256]

    private static let explanation =
        "It is encrypted as OpenSSL 3 does by default, which older systems do not read: export it with "
        + "`openssl pkcs12 -export -legacy`, or pass the certificate and the key as PEM."

    /// The encoded identifiers of PBES2 (RFC 8018, appendix A.4) and of SHA-256, SHA-384 and SHA-512.
    private static let newerAlgorithms: [[UInt8]] =
        [[0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x05, 0x0D]]
        + [1, 2, 3].map { [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, $0] }
}
