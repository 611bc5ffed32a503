import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

/// Uploads a file as a multipart form with AsyncHTTPClient, without the layer; the bytes are the same as the layer's.
struct RawUpload: Sendable {
    let raw: RawClient

    private static let boundary = "benchmarks.boundary.0123456789abcdef"
    private static let suffix = "\r\n--\(boundary)--\r\n"
    private static let piece = 64 * 1_024

    private static func prefix(_ file: URL) -> String {
        """
        --\(boundary)\r\nContent-Disposition: form-data; name="file"; filename="\(file.lastPathComponent)"\r\n\
        Content-Type: application/octet-stream\r\n\r\n
        """
    }

    private static func length(_ size: Int64, _ file: URL) -> Int64 {
        Int64(prefix(file).utf8.count) + size + Int64(suffix.utf8.count)
    }

    private var contentType: (String, String) { ("Content-Type", "multipart/form-data; boundary=\(Self.boundary)") }

    /// Uploads with a stream writer and NIO's thread pool for files.
    func uploadWithWriter(_ size: Int64, from file: URL) async throws {
        let files = NonBlockingFileIO(threadPool: .singleton)
        let handle = try Self.open(file)
        defer { try? handle.close() }
        let body = HTTPClient.Body.stream(contentLength: Self.length(size, file)) { writer in
            let loop = raw.client.eventLoopGroup.any()
            return writer.write(.byteBuffer(ByteBuffer(string: Self.prefix(file)))).flatMap {
                files.readChunked(
                    fileHandle: handle,
                    byteCount: Int(size),
                    chunkSize: Self.piece,
                    allocator: ByteBufferAllocator(),
                    eventLoop: loop
                ) { writer.write(.byteBuffer($0)) }
            }.flatMap {
                writer.write(.byteBuffer(ByteBuffer(string: Self.suffix)))
            }
        }
        var headers = RawClient.headers
        headers.add(name: contentType.0, value: contentType.1)
        let request = try HTTPClient.Request(url: "\(raw.url)/upload", method: .POST, headers: headers, body: body)
        let response = try await raw.client.execute(request: request).get()
        try check(response.body ?? ByteBuffer(), Self.length(size, file))
    }

    // The function uses the API that is not async, because a file handle of NIO's async API cannot be read on the client's event loop.
    private static func open(_ file: URL) throws -> NIOFileHandle { try NIOFileHandle(_deprecatedPath: file.path) }

    /// Uploads with the async API, which pulls chunks.
    func uploadWithSequence(_ size: Int64, from file: URL) async throws {
        var request = HTTPClientRequest(url: "\(raw.url)/upload")
        request.method = .POST
        request.headers = RawClient.headers
        request.headers.add(name: contentType.0, value: contentType.1)
        let pieces = FilePieces(file: file, prefix: Self.prefix(file), suffix: Self.suffix, size: Self.piece)
        request.body = .stream(pieces, length: .known(Self.length(size, file)))
        let response = try await raw.client.execute(request, timeout: .minutes(10))
        try check(try await response.body.collect(upTo: 1_024), Self.length(size, file))
    }

    private func check(_ response: ByteBuffer, _ length: Int64) throws {
        guard String(buffer: response) == "{\"bytes\":\(length)}" else {
            throw BenchFailure("The server responded \(String(buffer: response)).")
        }
    }
}

/// A sequence of a prefix, the chunks of a file, and a suffix.
private struct FilePieces: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let file: URL
    let prefix: String
    let suffix: String
    let size: Int

    func makeAsyncIterator() -> Iterator { Iterator(pieces: self) }

    struct Iterator: AsyncIteratorProtocol {
        private enum State {
            case prefix
            case file(FileHandle)
            case ended
        }

        let pieces: FilePieces
        private var state = State.prefix

        init(pieces: FilePieces) { self.pieces = pieces }

        mutating func next() async throws -> ByteBuffer? {
            switch state {
            case .prefix:
                state = .file(try FileHandle(forReadingFrom: pieces.file))
                return ByteBuffer(string: pieces.prefix)
            case .file(let handle):
                var buffer = ByteBufferAllocator().buffer(capacity: pieces.size)
                let count = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: pieces.size) {
                    Swift.max(0, read(handle.fileDescriptor, $0.baseAddress, pieces.size))
                }
                if count > 0 { return buffer }
                state = .ended
                return ByteBuffer(string: pieces.suffix)
            case .ended:
                return nil
            }
        }
    }
}
