#if !canImport(Darwin)
import Foundation
import Testing

@testable import MoyaHTTP
@testable import MoyaJSON

@Suite("Foundation decodes and encodes the types that the library cannot handle")
struct JSONAttemptsTests {
    /// A task-local counter of decodings and encodings.
    private final class Counter: Sendable {
        @TaskLocal static var current: Counter?
        private let count = Locked(0)
        var value: Int { count.withLock { $0 } }
        func increase() { count.withLock { $0 += 1 } }
    }

    /// A type that counts its attempts, cannot be encoded, and cannot be decoded from text.
    private struct Counted: Codable {
        init() {}
        init(from decoder: any Decoder) throws {
            Counter.current?.increase()
            _ = try decoder.singleValueContainer().decode(Int.self)
        }
        func encode(to encoder: any Encoder) throws {
            Counter.current?.increase()
            var container = encoder.singleValueContainer()
            try container.encode(Double.nan)
        }
    }

    @Test(
        "each failure of the library's coder leaves more values to Foundation, up to 64",
        arguments: [(1, 4), (2, 16), (3, 64), (4, 64), (40, 64)]
    )
    func failures(count: Int, waiting: Int) {
        var entry = JSONAttempts.Entry()
        for _ in 0..<count { entry.end(isSuccess: false) }
        let attempts = (0...waiting).map { _ in entry.begin() }
        #expect(attempts == Array(repeating: false, count: waiting) + [true])
    }

    @Test(
        "after a success of the library's coder the next value is attempted, and the next failure counts as the first"
    )
    func success() {
        var entry = JSONAttempts.Entry()
        for _ in 0..<3 { entry.end(isSuccess: false) }
        entry.end(isSuccess: true)
        let isAttempted = entry.begin()
        #expect(isAttempted)
        #expect(entry == JSONAttempts.Entry())
    }

    @Test(
        "a type that fails is decoded by the library and by Foundation, and then four times by Foundation alone"
    )
    func decoding() {
        let attempts = JSONAttempts()
        let counts = (0..<6).map { _ in
            count { _ = try? JSONDecoder().decode(Counted.self, from: Data(#""x""#.utf8), attempts: attempts) }
        }
        #expect(counts == [2, 1, 1, 1, 1, 2])
    }

    @Test(
        "a type that fails is encoded by the library and by Foundation, and then four times by Foundation alone"
    )
    func encoding() {
        let attempts = JSONAttempts()
        let counts = (0..<6).map { _ in count { _ = try? JSONEncoder().encode(Counted(), attempts: attempts) } }
        #expect(counts == [2, 1, 1, 1, 1, 2])
    }

    @Test("malformed JSON, and scalars that only Foundation can read, count as failures; plain JSON does not")
    func texts() throws {
        let hard = "[" + Array(repeating: "1e18", count: 50).joined(separator: ",") + "]"
        for (text, isSuccess) in [
            ("[1,2", false), (hard, false), ("[1e18]", true), ("[1,2.0]", true),
        ] {
            let attempts = JSONAttempts()
            _ = try? JSONDecoder().decode([Int].self, from: Data(text.utf8), attempts: attempts)
            #expect(attempts.begin([Int].self) == isSuccess, "\(text)")
        }
    }

    @Test(
        "text that cannot be JSON does not count as a failure of the library's decoder",
        arguments: ["", "<html>", "\u{FEFF}1", "error"]
    )
    func beginning(text: String) {
        let attempts = JSONAttempts()
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode([Int].self, from: Data(text.utf8), attempts: attempts)
        }
        #expect(attempts.begin([Int].self))
    }

    private func count(_ work: () -> Void) -> Int {
        let counter = Counter()
        Counter.$current.withValue(counter, operation: work)
        return counter.value
    }
}
#endif
