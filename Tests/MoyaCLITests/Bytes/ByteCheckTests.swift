import Foundation
import Testing

@testable import moya_cli

@Suite("A pattern of bytes reveals lost, repeated and changed pieces")
struct ByteCheckTests {
    private func receipt(_ pieces: [Data]) -> ByteReceipt {
        var check = ByteCheck()
        for piece in pieces { check.receive(piece) }
        return check.receipt
    }

    private func pattern(_ count: Int) -> Data {
        var data = Data()
        while data.count < count { data.append(BytePattern.data.prefix(count - data.count)) }
        return data
    }

    @Test("the byte pattern contains no ASCII, and does not repeat within its period")
    func pattern() {
        #expect(BytePattern.data.count == BytePattern.period)
        #expect(BytePattern.data.allSatisfy { $0 >= 0x80 })
        let start = BytePattern.data.prefix(16)
        #expect(BytePattern.data.dropFirst().range(of: start) == nil)
    }

    @Test(
        "the byte pattern is recognized in pieces of any length",
        arguments: [1, 7, 4_096, 65_536, 1_048_573, 3_000_000]
    )
    func split(_ length: Int) {
        let count = 2_500_000
        let data = pattern(length == 1 ? 10_000 : count)
        let pieces = stride(from: 0, to: data.count, by: length).map { data[$0..<min($0 + length, data.count)] }
        #expect(receipt(pieces) == ByteReceipt(bytes: Int64(data.count), content: Int64(data.count)))
    }

    @Test(
        "the byte pattern is recognized up to the first wrong byte",
        arguments: [0, 1, 65_535, 1_048_572, 1_048_573, 1_999_999]
    )
    func wrong(_ position: Int) {
        var data = pattern(2_000_000)
        data[position] ^= 0x01
        let expected = position == 0 ? 0 : Int64(position)
        #expect(receipt([data]) == ByteReceipt(bytes: 2_000_000, content: expected))
    }

    @Test("the byte pattern is not recognized after a lost or repeated piece", arguments: [1, 65_536, 1_048_576])
    func displaced(_ length: Int) {
        let data = pattern(3_000_000)
        let lost = receipt([data[..<1_000_000], data[(1_000_000 + length)...]])
        // The first bytes after the gap may equal the expected ones by chance.
        #expect((1_000_000..<1_000_010).contains(lost.content))
        let doubled = receipt([data[..<1_500_000], data[(1_500_000 - length)...]])
        #expect((1_500_000..<1_500_010).contains(doubled.content))
    }

    @Test("the byte pattern is found in a form between text")
    func form() {
        let head = Data("--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n".utf8)
        let tail = Data("\r\n--b--\r\n".utf8)
        let all = head + pattern(100_000) + tail
        #expect(receipt([all]) == ByteReceipt(bytes: Int64(all.count), content: 100_000))
        let single = receipt(all.map { Data([$0]) })
        #expect(single == ByteReceipt(bytes: Int64(all.count), content: 100_000))
    }

    @Test("the byte pattern is not found in other data", arguments: [Data(), Data("text".utf8), Data(count: 1_000)])
    func none(_ data: Data) {
        #expect(receipt([data]) == ByteReceipt(bytes: Int64(data.count), content: 0))
    }

    @Test("the byte pattern is not found after more than 64 KiB of other data")
    func farAway() {
        let pieces = Array(repeating: Data(repeating: 0x20, count: 40_000), count: 2) + [pattern(1_000)]
        #expect(receipt(pieces) == ByteReceipt(bytes: 81_000, content: 0))
        #expect(receipt(Array(pieces[1...])) == ByteReceipt(bytes: 41_000, content: 1_000))
    }

    @Test(
        "write fills a file of the requested size with the byte pattern",
        arguments: [0, 1, 1_048_573, 2_500_000] as [Int64]
    )
    func file(_ count: Int64) async throws {
        try await TemporaryFolder.use { folder in
            let file = folder.appendingPathComponent("file")
            try BytePattern.write(count, to: file)
            let receipt = try ByteCheck.receipt(for: file)
            #expect(receipt == ByteReceipt(bytes: count, content: count))
            #expect(throws: (any Error).self) { try BytePattern.write(1, to: file) }
        }
        #expect(throws: (any Error).self) { try ByteCheck.receipt(for: URL(fileURLWithPath: "/nowhere/at/all")) }
    }
}

@Suite("A temporary folder exists for one function")
struct TemporaryFolderTests {
    @Test("a temporary folder exists while the function runs, and only the owner has access")
    func removed() async throws {
        let folder = try await TemporaryFolder.use { folder in
            try Data("text".utf8).write(to: folder.appendingPathComponent("file"))
            let permissions = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
            #expect(permissions == 0o700)
            return folder
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("a temporary folder is removed if the function throws")
    func removedAfterError() async throws {
        struct Mistake: Error {}
        let place = AsyncStream<URL>.makeStream()
        await #expect(throws: Mistake.self) {
            try await TemporaryFolder.use { folder in
                place.continuation.yield(folder)
                throw Mistake()
            }
        }
        let folder = try #require(await place.stream.first { _ in true })
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
}
