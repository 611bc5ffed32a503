import Foundation
import Moya

/// One large transfer with a measurement of its memory.
struct Transfer: Sendable {
    let direction: TransferDirection
    let size: ByteCount
    let transport: TransferTransport
    /// The maximum additional memory in bytes.
    let memoryLimit: Int
    let baseURL: URL

    func run() async throws -> TransferReport {
        let transport = transport.make()
        let result: Result<TransferReport, any Error>
        do {
            let session = Session(transport: transport)
            let provider = MoyaProvider<Bytes>(
                endpointClosure: MoyaProvider.endpoints(at: baseURL),
                session: session
            )
            result = .success(try await TemporaryFolder.use { try await measure(provider, in: $0) })
        } catch {
            result = .failure(error)
        }
        await transport.shutdown()
        return try result.get()
    }

    private func measure(_ provider: MoyaProvider<Bytes>, in folder: URL) async throws -> TransferReport {
        // The first transfer is not measured, as it initializes shared resources.
        let warmUp = min(size.bytes, Self.warmUp.bytes)
        let first = try await prepare(warmUp, in: folder, name: "first")
        _ = try await carry(warmUp, first, through: provider)
        try? FileManager.default.removeItem(at: first)

        let file = try await prepare(size.bytes, in: folder, name: "large")
        let memory = MemoryMonitor()
        let start = ContinuousClock.now
        let carried = try await carry(size.bytes, file, through: provider)
        let time = ContinuousClock.now - start
        let peak = memory.peak()
        return TransferReport(
            transfer: self,
            receipt: try carried ?? ByteCheck.receipt(for: file),
            time: time,
            idle: memory.idle,
            peak: peak
        )
    }

    /// Returns the URL of a file, and creates the file if it is to be uploaded.
    private func prepare(_ count: Int64, in folder: URL, name: String) async throws -> URL {
        let file = folder.appendingPathComponent("\(name).bin")
        switch direction {
        case .upload, .multipart: try BytePattern.write(count, to: file)
        case .download, .stream: break
        }
        return file
    }

    /// Performs the transfer, and returns the receipt; `nil` if the file must be checked.
    private func carry(
        _ count: Int64,
        _ file: URL,
        through provider: MoyaProvider<Bytes>
    ) async throws -> ByteReceipt? {
        switch direction {
        case .download:
            _ = try await provider.request(.download(count, to: file))
            return nil
        case .upload:
            return try await provider.request(.upload(file)).map(ByteReceipt.self)
        case .multipart:
            return try await provider.request(.form(file, note: "A large file.")).map(ByteReceipt.self)
        case .stream:
            var check = ByteCheck()
            for try await chunk in try await provider.stream(.stream(count)).body { check.receive(chunk) }
            return check.receipt
        }
    }

    private static let warmUp = ByteCount.mebibytes(8)
}
