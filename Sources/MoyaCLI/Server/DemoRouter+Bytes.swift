#if NIO
import Foundation

// These routes send and receive large bodies, which the server does not store.
extension DemoRouter {
    func bytes(_ argument: String) throws -> Response {
        guard let count = Int(argument), count >= 0 else {
            return try problem(.unprocessableContent, "The number of bytes must be a whole number.")
        }
        var pattern = BytePattern.data
        if faults.contains(.damagedBytes) { pattern[4_095] = 0 }
        return Response(
            headers: [.contentType: "application/octet-stream"],
            body: .stream(length: count) { [pattern] writer in
                var position = 0
                while position < count {
                    let start = position % BytePattern.period
                    let length = min(Self.pieceLength, count - position, BytePattern.period - start)
                    try await writer.write(pattern[start..<start + length])
                    position += length
                }
            }
        )
    }

    func takeBytes(of request: Request) async throws -> Response {
        var check = ByteCheck()
        while let piece = try await request.bodyPiece() { piece.withUnsafeReadableBytes { check.receive($0) } }
        var receipt = check.receipt
        if faults.contains(.damagedBytes) { receipt.content -= 1 }
        return try json(receipt)
    }

    private static let pieceLength = 65_536
}
#endif
