import Foundation
import MoyaHTTP
import TestSupport
import Testing

@Suite("Hash functions have the results of their standards")
struct HashTests {
    /// An input with its hash.
    struct Example: CustomTestStringConvertible {
        let source: String
        let input: String
        let hash: String

        var testDescription: String { source }

        init(_ source: String, _ input: String, _ hash: String) {
            (self.source, self.input, self.hash) = (source, input, hash)
        }
    }

    @Test(
        "MD5 has the results of RFC 1321, A.5",
        arguments: [
            Example("A.5, empty", "", "d41d8cd98f00b204e9800998ecf8427e"),
            Example("A.5, a", "a", "0cc175b9c0f1b6a831c399e269772661"),
            Example("A.5, abc", "abc", "900150983cd24fb0d6963f7d28e17f72"),
            Example("A.5, message digest", "message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            Example("A.5, letters", "abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            Example(
                "A.5, letters and digits",
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f"
            ),
            Example(
                "A.5, digits",
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
            Example(
                "a million times a",
                String(repeating: "a", count: 1_000_000),
                "7707d6ae4e027c70eea2a935c2296f21"
            ),
        ]
    )
    func md5(example: Example) {
        #expect(MD5.hash(example.input).hexadecimal == example.hash)
    }

    @Test(
        "SHA-256 has the results of NIST's examples",
        arguments: [
            Example("empty", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            Example("24 bits", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            Example(
                "448 bits",
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            Example(
                "896 bits",
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                    + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
            ),
            Example(
                "a million times a",
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ]
    )
    func sha256(example: Example) {
        #expect(SHA256.hash(example.input).hexadecimal == example.hash)
    }

    @Test(
        "SHA-512/256 has the results of NIST's examples",
        arguments: [
            Example("empty", "", "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"),
            Example("24 bits", "abc", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
            Example(
                "448 bits",
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "bde8e1f9f19bb9fd3406c90ec6bc47bd36d8ada9f11880dbc8a22a7078b6a461"
            ),
            Example(
                "896 bits",
                "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                    + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
                "3928e184fb8690f840da3988121d31be65cb9d3ef83ee6146feac861e19b563a"
            ),
            Example(
                "a million times a",
                String(repeating: "a", count: 1_000_000),
                "9a59a052930187a97038cae692f30708aa6491923ef5194394dc68d56c74fb21"
            ),
        ]
    )
    func sha512256(example: Example) {
        #expect(SHA512_256.hash(example.input).hexadecimal == example.hash)
    }

    @Test("all hash functions agree with another implementation near the ends of blocks", arguments: hashVectors)
    func otherImplementation(vector: HashVector) {
        #expect(MD5.hash(vector.input).hexadecimal == vector.md5)
        #expect(SHA256.hash(vector.input).hexadecimal == vector.sha256)
        #expect(SHA512_256.hash(vector.input).hexadecimal == vector.sha512256)
    }

    @Test("the pieces of the input do not affect a hash")
    func pieces() {
        for seed in 0..<600 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let length = seed <= 300 ? Int(seed) : Int.random(in: 0...300, using: &random)
            let input = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            var pieces: [ArraySlice<UInt8>] = []
            var rest = input[...]
            while !rest.isEmpty {
                // Some pieces are empty, and some are long.
                let limit = Bool.random(using: &random) ? 5 : rest.count
                pieces.append(rest.prefix(Int.random(in: 0...limit, using: &random)))
                rest = rest.dropFirst(pieces.last?.count ?? 0)
            }
            #expect(hash(pieces, by: MD5.self) == MD5.hash(input), "seed \(seed)")
            #expect(hash(pieces, by: SHA256.self) == SHA256.hash(input), "seed \(seed)")
            #expect(hash(pieces, by: SHA512_256.self) == SHA512_256.hash(input), "seed \(seed)")
        }
    }

    @Test("a hash that is computed between two pieces does not affect the later hash")
    func finalizeTwice() {
        var function = SHA256()
        function.update(Data("ab".utf8))
        #expect(function.finalize() == SHA256.hash("ab"))
        #expect(function.finalize() == SHA256.hash("ab"))
        function.update(Data("c".utf8))
        #expect(function.finalize() == SHA256.hash("abc"))
    }

    @Test("a hash has the length that its type declares")
    func byteCount() {
        #expect(MD5.hash("").count == MD5.byteCount)
        #expect(SHA256.hash("").count == SHA256.byteCount)
        #expect(SHA512_256.hash("").count == SHA512_256.byteCount)
    }

    @Test("a slice of Data is hashed without the other bytes of the data")
    func dataSlice() {
        #expect(MD5.hash(Data("xabcx".utf8).dropFirst().dropLast()) == MD5.hash("abc"))
    }

    @Test("the bytes of a hash are written as two lower-case hexadecimal digits each")
    func hexadecimal() {
        #expect([0x00, 0x09, 0x0A, 0x7F, 0x80, 0xFF].hexadecimal == "00090a7f80ff")
        #expect([UInt8]().hexadecimal.isEmpty)
    }

    private func hash<Function: HashFunction>(_ pieces: [ArraySlice<UInt8>], by _: Function.Type) -> [UInt8] {
        var function = Function()
        for piece in pieces { function.update(piece) }
        return function.finalize()
    }
}
