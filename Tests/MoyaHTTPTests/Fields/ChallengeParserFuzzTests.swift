import MoyaHTTP
import TestSupport
import TestTraits
import Testing

@Suite("Hostile challenges are parsed within the limits", .ownThread)
struct ChallengeParserFuzzTests {
    private static let seeds = [
        "Digest realm=\"a b\", qop=\"auth, auth-int\", algorithm=SHA-256, nonce=\"7ypf/xlj9XX==\", opaque=\"FQhe/q\\\"\"",
        "Basic realm=\"simple\", Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Negotiate oYG8==, NTLM",
    ]

    @Test("random bytes, and random changes of valid challenges, respect the limits and do not crash")
    func random() {
        let marks = Array(" \t,=\"\\;'%*\0\r\n\u{7F}aZ9/+".utf8)
        for seed in 0..<4000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var bytes = Array(Self.seeds[Int(seed % 2)].utf8)
            if seed % 4 < 2 {
                bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            }
            for _ in 0..<Int.random(in: 0...8, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: bytes[index] = marks.randomElement(using: &random) ?? 0
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(marks.randomElement(using: &random) ?? 0, at: index)
                default: bytes.append(contentsOf: bytes[index...])
                }
            }
            check(String(decoding: bytes, as: UTF8.self), seed: seed)
        }
    }

    private func check(_ value: String, seed: UInt64) {
        let challenges = ChallengeParser.challenges(in: [value, value])
        #expect(challenges.count <= ChallengeParser.maximumChallenges, "seed \(seed)")
        for challenge in challenges {
            #expect(isToken(challenge.scheme), "seed \(seed)")
            #expect(challenge.parameters.count <= ChallengeParser.maximumParameters, "seed \(seed)")
            for parameter in challenge.parameters {
                #expect(isToken(parameter.name), "seed \(seed)")
                #expect(!parameter.value.utf8.contains { $0 < 0x20 && $0 != 9 || $0 == 0x7F }, "seed \(seed)")
            }
        }
        // Parsed challenges can be written and parsed again.
        let again = ChallengeParser.challenges(in: challenges.map(write))
        #expect(again == challenges, "seed \(seed)")

        // Each challenge gets one header line or no response.
        let space = ProtectionSpaceKey(origin: .init(scheme: "http", host: "h", port: 80), realm: "")
        var responder = ChallengeResponder(space: space, credential: .init(user: "u", password: "p"))
        let request = ChallengedRequest(method: "GET", target: "/")
        if case .respond(let response) = responder.respond(to: challenges, request: request, clientNonce: "c") {
            #expect(!response.header.utf8.contains { $0 < 0x20 && $0 != 9 || $0 == 0x7F }, "seed \(seed)")
            let read = ChallengeParser.challenges(in: [response.header])
            #expect(read.count == 1, "seed \(seed)")
        }
    }

    private func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x21...0x7E).contains(byte) && !"\"(),/:;<=>?@[\\]{}".utf8.contains(byte)
            }
    }

    private func write(_ challenge: AuthenticationChallenge) -> String {
        let parameters = challenge.parameters.map { parameter in
            let value = parameter.value.utf8.flatMap { [UInt8(ascii: "\\"), $0] }
            return "\(parameter.name)=\"\(String(decoding: value, as: UTF8.self))\""
        }
        return "\(challenge.scheme) \(([challenge.token68].compactMap(\.self) + parameters).joined(separator: ", "))"
    }

    @Test(
        "the time of the challenge parser is linear in the length of the header",
        arguments: ["\"", ",", "=", "\\", "a ", "a=", "a=\"", "a,", "a b", "a\"", " ", "a==,"]
    )
    func linear(pattern: String) {
        let short = String(repeating: pattern, count: 4_000 / pattern.count)
        let long = String(repeating: pattern, count: 64_000 / pattern.count)
        let shortest = (0..<5).map { _ in processorTime { _ = ChallengeParser.challenges(in: ["A \(short)"]) } }.min()
        let longest = (0..<5).map { _ in processorTime { _ = ChallengeParser.challenges(in: ["A \(long)"]) } }.min()
        // The length is 16 times greater; quadratic time would be 256 times greater.
        #expect((longest ?? .zero) < (shortest ?? .zero) * 100 + .milliseconds(20))
    }
}
