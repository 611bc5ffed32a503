import Crypto
import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaHTTPTransportCore

#if NIO && !canImport(Darwin)
import NIOSSL
#endif

@Suite("A PKCS#12 archive has the format that all versions of Apple's importers read")
struct PKCS12WriterTests {
    private static func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }

    /// A writer that encrypts with OpenSSL.
    private static let writer = PKCS12Writer(
        sha1: { Array(Insecure.SHA1.hash(data: $0)) },
        encrypt: { data, key, initialVector in
            try? OpenSSL.run(["enc", "-des-ede3-cbc", "-K", hex(key), "-iv", hex(initialVector)], input: data)
        }
    )

    private static func key(_ pem: String) throws -> PrivateKeyInfo { try PrivateKeyInfo(pem: pem) }

    @Test("the keys of an archive are derived as RFC 7292, appendix B, specifies")
    func derivation() {
        var writer = Self.writer
        writer.iterations = 1
        let salt: [UInt8] = [0x0A, 0x58, 0xCF, 0x64, 0x53, 0x0D, 0x82, 0x3F]
        let key = writer.derive(.key, passphrase: PKCS12Writer.bytes(of: "smeg"), salt: salt, count: 24)
        #expect(Self.hex(key) == "8aaae6297b6cb04642ab5b077851284eb7128f1a2a7fbca3")
        #expect(Self.hex(PKCS12Writer.bytes(of: "Be\u{20AC}")) == "0042006520ac0000")
    }

    #if NIO && !canImport(Darwin)
    @Test("BoringSSL opens an archive with a recorded encryption")
    func recorded() throws {
        let encrypted = try #require(KeyFixtures.tripleDES)
        let writer = PKCS12Writer(
            sha1: Self.writer.sha1,
            encrypt: { _, key, initialVector in
                let isExpected =
                    Self.hex(key) == "6c595fcbce8e85fb5ffcb50d2876deda662ab766d2e1eac9"
                    && Self.hex(initialVector) == "e25f40392a691490"
                return isExpected ? encrypted : nil
            }
        )
        let certificates = try Certificate.certificates(
            pem: KeyFixtures.ecCertificate + "\n" + KeyFixtures.rsaCertificate
        )
        let archive = writer.archive(
            try Self.key(KeyFixtures.ec),
            certificates,
            passphrase: PKCS12.passphrase,
            keySalt: Array(0..<8)
        )
        let opened = try NIOSSLPKCS12Bundle(
            buffer: Array(try #require(archive)),
            passphrase: PKCS12.passphrase.utf8
        )
        #expect(opened.privateKey == (try NIOSSLPrivateKey(bytes: Array(KeyFixtures.ec.utf8), format: .pem)))
        #expect(try opened.certificateChain.map { Data(try $0.toDERBytes()) } == certificates.map(\.der))
        #expect(throws: (any Error).self) {
            try NIOSSLPKCS12Bundle(buffer: Array(try #require(archive)), passphrase: "secret".utf8)
        }
    }
    #endif

    @Test(
        "OpenSSL opens an archive with its key and certificates",
        .enabled(if: OpenSSL.isInstalled, "needs the command openssl"),
        arguments: [
            [KeyFixtures.rsa, KeyFixtures.rsaCertificate], [KeyFixtures.rsaPKCS1, KeyFixtures.rsaCertificate],
            [KeyFixtures.ec, KeyFixtures.ecCertificate], [KeyFixtures.ecSEC1, KeyFixtures.ecCertificate],
        ]
    )
    func openSSL(_ pair: [String]) throws {
        let certificates = try Certificate.certificates(pem: pair[1] + "\n" + PKCS12.certificate)
        let archive = try #require(Self.writer.archive(try Self.key(pair[0]), certificates, passphrase: "b\u{E4}r"))
        let arguments = ["pkcs12", "-passin", "pass:b\u{E4}r", "-nodes"]
        let text = String(decoding: try OpenSSL.run(arguments, input: archive), as: UTF8.self)
        #expect(try Certificate.certificates(pem: text) == certificates)
        let key = try OpenSSL.run(["pkey", "-outform", "DER"], input: Data(text.utf8))
        #expect(try key == OpenSSL.run(["pkey", "-outform", "DER"], input: Data(pair[0].utf8)))
        #expect(throws: OpenSSL.Failed.self) {
            try OpenSSL.run(["pkcs12", "-passin", "pass:other", "-nodes"], input: archive)
        }
        // Changes of the key or the certificate must be detected.
        let damaged = archive.enumerated().map { $0.offset == archive.count / 2 ? ~$0.element : $0.element }
        #expect(throws: OpenSSL.Failed.self) { try OpenSSL.run(arguments, input: Data(damaged)) }
    }

    @Test("numbers and lengths in an archive have the shortest DER form")
    func encoding() {
        let numbers = [0: "020100", 1: "020101", 127: "02017f", 128: "02020080", 2048: "02020800", 65535: "020300ffff"]
        for (number, text) in numbers { #expect(Self.hex(DERWriter.integer(number)) == text) }
        let lengths = [0: "0400", 127: "047f", 128: "048180", 255: "0481ff", 256: "04820100", 65536: "0483010000"]
        for (length, text) in lengths {
            let encoded = DERWriter.octets(Data(count: length))
            #expect(Self.hex(encoded.dropLast(length)) == text)
            var reader = DERReader(encoded)
            #expect((try? reader.next(DERReader.Tag.octetString))?.content.count == length)
        }
    }
}

/// The command `openssl`.
enum OpenSSL {
    struct Failed: Error {}

    static let url = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/opt/homebrew/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
        .map { URL(fileURLWithPath: $0) }

    static var isInstalled: Bool { url != nil }

    /// Runs the command with a standard input, which is shorter than a pipe's buffer, and returns its output.
    static func run(_ arguments: [String], input: Data) throws -> Data {
        let process = Process()
        process.executableURL = url
        process.arguments = arguments
        let (standardInput, standardOutput) = (Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = standardOutput
        process.standardError = FileHandle.nullDevice
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: input)
        try standardInput.fileHandleForWriting.close()
        let output = try standardOutput.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed() }
        return output
    }
}
