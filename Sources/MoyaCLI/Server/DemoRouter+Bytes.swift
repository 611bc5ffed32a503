#if NIO
    import Foundation
    import Hummingbird

    // Large bodies, which the server does not store.
    extension DemoRouter {
        func addBytes(to router: Router<BasicRequestContext>) {
            router.get("bytes/:count") { _, context in try bytes(context.parameters.require("count")) }
            router.post("bytes") { request, _ in try await takeBytes(of: request) }
        }

        private func bytes(_ argument: String) throws -> Response {
            guard let count = Int(argument), count >= 0 else {
                return try problem(.unprocessableContent, "The number of bytes must be a whole number.")
            }
            var pattern = ByteBuffer(bytes: BytePattern.data)
            if faults.contains(.damagedBytes) { pattern.setInteger(UInt8(0), at: pattern.readerIndex + 4_095) }
            return Response(
                status: .ok,
                headers: [.contentType: "application/octet-stream"],
                body: ResponseBody(contentLength: count) { [pattern] writer in
                    var position = 0
                    while position < count {
                        let start = position % BytePattern.period
                        let length = min(Self.pieceLength, count - position, BytePattern.period - start)
                        guard let piece = pattern.getSlice(at: pattern.readerIndex + start, length: length) else {
                            break
                        }
                        try await writer.write(piece)
                        position += length
                    }
                    try await writer.finish(nil)
                }
            )
        }

        private func takeBytes(of request: Request) async throws -> Response {
            var check = ByteCheck()
            for try await piece in request.body { piece.withUnsafeReadableBytes { check.receive($0) } }
            var receipt = check.receipt
            if faults.contains(.damagedBytes) { receipt.content -= 1 }
            return try json(receipt)
        }

        private static let pieceLength = 65_536
    }
#endif
