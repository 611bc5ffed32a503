import Foundation
import FoundationNetworking
import Security
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore
@testable import MoyaURLSessionTransport

/// The tests run one at a time, because they script the importer, which is shared in the process.
@Suite("Security imports a client identity", .serialized)
struct URLSessionCredentialTests {
    private let certificate: SecCertificate
    private let issuer: SecCertificate
    private let identity: SecIdentity
    private let archive = Data("archive".utf8)

    init() throws {
        certificate = SecCertificate(der: try ChainFixtures.certificate(ChainFixtures.server).der)
        issuer = SecCertificate(der: try ChainFixtures.certificate(ChainFixtures.root).der)
        identity = SecIdentity(certificate)
        FakeSecurity.importStatus = errSecSuccess
        FakeSecurity.importedItems = [["identity": identity, "chain": [certificate, issuer]]]
        FakeSecurity.keychain = [:]
        FakeSecurity.itemsOfArchive = []
    }

    private func issuers(_ credential: URLSessionCredential) -> [SecCertificate]? {
        let certificates = AssociatedValues.identities[credential.credential]?.certificates
        return certificates as? [SecCertificate]
    }

    @Test("Security imports an archive with its passphrase and into memory only, and the credential has its issuers")
    func archived() throws {
        let imported = try URLSessionCredential(ClientIdentity(pkcs12: archive, passphrase: "secret"))
        #expect(AssociatedValues.identities[imported.credential]?.identity === identity)
        #expect(issuers(imported)?.map(\.der) == [issuer.der])
        #expect(imported.credential.persistence == .forSession)
        #expect(FakeSecurity.importedArchive == archive)
        #expect(FakeSecurity.importOptions["passphrase"] as? String == "secret")
        #expect(FakeSecurity.importOptions["memory"] as? Bool == true)
    }

    @Test("Security imports a certificate and a key in PEM as an archive with a new passphrase")
    func pem() throws {
        let pem = try ClientIdentity(certificatePEM: KeyFixtures.ecCertificate, privateKeyPEM: KeyFixtures.ec)
        _ = try URLSessionCredential(pem)
        // The stub of the cipher does not encrypt, so the archive has the key as plain bytes.
        let key = try PrivateKeyInfo(pem: KeyFixtures.ec).der
        #expect(FakeSecurity.importedArchive?.range(of: key) != nil)
        #expect((FakeSecurity.importOptions["passphrase"] as? String)?.isEmpty == false)
    }

    @Test(
        "the error of a refused archive has the text of its status",
        arguments: [(-25293, "another passphrase"), (-26275, "not a PKCS#12 archive"), (-4, "status -4")]
            as [(Int32, String)]
    )
    func refused(status: Int32, text: String) {
        FakeSecurity.importStatus = status
        #expect { _ = try URLSessionCredential(ClientIdentity(pkcs12: archive, passphrase: "secret")) } throws: {
            error in
            let description = error.localizedDescription
            return description.contains(text) && !description.contains("secret")
        }
    }

    @Test("an archive without an identity throws an error")
    func empty() {
        for items in [[], [["chain": [certificate]]], [["identity": certificate]]] as [[[String: Any]]] {
            FakeSecurity.importedItems = items
            #expect(throws: TransportConfigurationError.self) {
                try URLSessionCredential(ClientIdentity(pkcs12: archive, passphrase: "secret"))
            }
        }
    }

    @Test(
        "a key that an earlier import stored is found in the keychain by the certificate of the archive or the PEM text"
    )
    func stored() throws {
        FakeSecurity.importStatus = PKCS12ImportStatus.duplicateItem
        let pem = try ClientIdentity(certificatePEM: KeyFixtures.ecCertificate, privateKeyPEM: KeyFixtures.ec)
        let given = SecCertificate(der: try ChainFixtures.certificate(KeyFixtures.ecCertificate).der)
        FakeSecurity.keychain = [certificate.der: identity, given.der: SecIdentity(given)]

        FakeSecurity.itemsOfArchive = [issuer, identity]
        let archived = try URLSessionCredential(ClientIdentity(pkcs12: archive, passphrase: "secret"))
        #expect(AssociatedValues.identities[archived.credential]?.identity === identity)
        #expect(issuers(archived)?.map(\.der) == [issuer.der])

        let found = try URLSessionCredential(pem)
        #expect(AssociatedValues.identities[found.credential]?.identity.certificate.der == given.der)

        FakeSecurity.keychain = [:]
        #expect(throws: TransportConfigurationError.self) { try URLSessionCredential(pem) }
    }
}
