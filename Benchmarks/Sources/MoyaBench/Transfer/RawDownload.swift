import AsyncHTTPClient
import Foundation
import NIOCore

/// Downloads to a file with AsyncHTTPClient, without the layer.
struct RawDownload: Sendable {
    let raw: RawClient

    /// Downloads with AsyncHTTPClient's delegate for files.
    func downloadWithDelegate(_ size: Int64, to file: URL) async throws {
        let request = try HTTPClient.Request(url: "\(raw.url)/bytes/\(size)", headers: RawClient.headers)
        let delegate = try FileDownloadDelegate(path: file.path)
        let progress = try await raw.client.execute(request: request, delegate: delegate).get()
        guard progress.receivedBytes == size else { throw BenchFailure("\(progress.receivedBytes) bytes came.") }
    }

    /// Downloads with the async API, chunk by chunk.
    func downloadWithSequence(_ size: Int64, to file: URL) async throws {
        var request = HTTPClientRequest(url: "\(raw.url)/bytes/\(size)")
        request.headers = RawClient.headers
        let response = try await raw.client.execute(request, timeout: .minutes(10))
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw BenchFailure("\(file.path) can't be written.") }
        defer { close(descriptor) }
        var received: Int64 = 0
        for try await piece in response.body {
            try piece.withUnsafeReadableBytes { try Self.write($0, to: descriptor) }
            received += Int64(piece.readableBytes)
        }
        guard received == size else { throw BenchFailure("\(received) bytes came.") }
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
        var rest = bytes[...]
        while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
            let written = Foundation.write(descriptor, start, rest.count)
            guard written > 0 else { throw BenchFailure("The file can't be written: \(errno).") }
            rest = rest.dropFirst(written)
        }
    }
}
