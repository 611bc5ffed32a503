import Foundation
import Testing

@testable import MoyaHTTP

/// Each test compares two durations of one run, which would differ by a factor of thousands if work were repeated.
@Suite("The time for splitting lines is linear in the bytes", .serialized)
struct LineCostTests {
    @Test("the time for splitting a line does not depend on the bytes after it")
    func manyLinesInOneChunk() throws {
        func cost(behind lines: Int) throws -> Duration {
            var splitter = LineSplitter(ends: .newlines, maximumLength: 100)
            splitter.push(Data(String(repeating: "twenty bytes a line\n", count: 5_000 + lines).utf8))
            let nothing = Data()
            return try Self.fastest { () throws in
                var bytes = 0
                for _ in 0..<500 {
                    bytes += try splitter.nextBytes()?.count ?? 0
                    splitter.push(nothing)
                }
                #expect(bytes == 500 * 19)
            }
        }
        let few = try cost(behind: 0)
        let many = try cost(behind: 1_000_000)
        #expect(many < few * 100)
    }

    @Test("the time for a byte of a line does not depend on the preceding bytes of the line")
    func oneLineInManyChunks() throws {
        func cost(after length: Int) throws -> Duration {
            var splitter = LineSplitter(ends: .newlines, maximumLength: .max)
            splitter.push(Data(repeating: UInt8(ascii: "x"), count: length))
            #expect(try splitter.nextBytes() == nil)
            let byte = Data("x".utf8)
            return try Self.fastest { () throws in
                var lines = 0
                for _ in 0..<200 {
                    splitter.push(byte)
                    if try splitter.nextBytes() != nil { lines += 1 }
                }
                #expect(lines == 0)
            }
        }
        let short = try cost(after: 10)
        let long = try cost(after: 500_000)
        #expect(long < short * 100)
    }

    /// Returns the shortest of several durations, which other processes have disturbed least.
    private static func fastest(_ body: () throws -> Void) rethrows -> Duration {
        var fastest = Duration.longestTimeout
        for _ in 0..<7 { fastest = min(fastest, try processorTime(of: body)) }
        return fastest
    }
}
