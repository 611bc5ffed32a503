import Foundation
import MoyaHTTP
import TestTraits
import Testing

@Suite("Random Digest responses can be parsed", .ownThread)
struct DigestSampleTests {
    @Test("a Digest response can be parsed and contains its input, for all names and nonces")
    func readBack() throws {
        for seed in 0..<500 as Range<UInt64> {
            let sample = try #require(DigestSample(seed: seed), "seed \(seed)")
            let read = ChallengeParser.challenges(in: [sample.header])
            #expect(read.count == 1, "seed \(seed)")
            let response = try #require(read.first)
            #expect(response.isScheme("Digest"), "seed \(seed)")
            #expect(response.realm == sample.realm, "seed \(seed)")
            #expect(response["nonce"] == sample.nonce, "seed \(seed)")
            #expect(response["opaque"] == sample.opaque, "seed \(seed)")
            #expect(response["algorithm"] == sample.algorithm, "seed \(seed)")
            #expect(response["qop"] == sample.qop, "seed \(seed)")
            #expect(response["uri"] == sample.target, "seed \(seed)")
            #expect(response["userhash"] == (sample.userhash ? "true" : nil), "seed \(seed)")
            #expect(response["cnonce"] == (sample.qop == nil ? nil : sample.clientNonce), "seed \(seed)")
        }
    }

    /// The folder in which `scripts/check/digest` expects responses for another implementation.
    static let samplesFolder = ProcessInfo.processInfo.environment["MOYA_DIGEST_SAMPLES"]

    @Test("Digest samples for other implementations are written on request", .enabled(if: samplesFolder != nil))
    func writeSamples() throws {
        let folder = URL(fileURLWithPath: try #require(Self.samplesFolder), isDirectory: true)
        for seed in 0..<500 as Range<UInt64> {
            let sample = try #require(DigestSample(seed: seed), "seed \(seed)")
            try JSONEncoder().encode(sample).write(to: folder.appendingPathComponent("\(seed).json"))
        }
    }
}
