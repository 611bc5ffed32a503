import ArgumentParser
import Foundation
import Moya
import Workloads

/// Compares large transfers over loopback.
struct TransferCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer",
        abstract: "A large download into a file, and a large form from a file, through the layer and without it."
    )

    @Option(help: "How much goes each way, in MiB.")
    var size: Int64 = 1_024
    @Option(help: "How often each has its turn.")
    var rounds = 5
    @Option(help: "Where the files are; as much room as twice the size is needed.")
    var folder = NSTemporaryDirectory()
    @OptionGroup
    var output: SectionOptions

    func run() async throws {
        let server = try ServerProcess.start()
        defer { server.stop() }
        let folder = URL(fileURLWithPath: folder).appendingPathComponent("moya-bench-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var download = downloads(from: server.plain, into: folder)
        try await download.run(rounds: rounds)
        let file = folder.appendingPathComponent("source.bin")
        try Self.fill(file, count: size)
        var upload = uploads(of: file, to: server.plain)
        try await upload.run(rounds: rounds)
        try output.write(section([(download, "FileDownloadDelegate"), (upload, "Body.stream")]))
    }

    private var bytes: Int64 { size * 1_048_576 }

    private func downloads(from base: URL, into folder: URL) -> TransferRace {
        let (layer, raw, bytes) = (LayerClient(at: base), RawDownload(raw: .configuredLikeTheLayer(at: base)), bytes)
        let file = folder.appendingPathComponent("download.bin")
        func contestant(_ name: String, carry: @escaping () async throws -> Void) -> TransferRace.Contestant {
            .init(name) {
                try await carry()
                let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize
                guard size.map(Int64.init) == bytes else { throw BenchFailure("The file has \(size ?? 0) bytes.") }
                try FileManager.default.removeItem(at: file)
            }
        }
        return TransferRace(
            "Download to a file",
            size: bytes,
            [
                contestant("provider") {
                    use(try await layer.provider.request(BenchTarget(.download(bytes, to: file), at: base)))
                },
                contestant("AsyncHTTPClient, FileDownloadDelegate") {
                    try await raw.downloadWithDelegate(bytes, to: file)
                },
                contestant("AsyncHTTPClient, async sequence") { try await raw.downloadWithSequence(bytes, to: file) },
            ]
        )
    }

    private func uploads(of file: URL, to base: URL) -> TransferRace {
        let (layer, raw, bytes) = (LayerClient(at: base), RawUpload(raw: .configuredLikeTheLayer(at: base)), bytes)
        return TransferRace(
            "Multipart upload from a file",
            size: bytes,
            [
                .init("provider") { use(try await layer.provider.request(BenchTarget(.form(file), at: base))) },
                .init("AsyncHTTPClient, Body.stream") { try await raw.uploadWithWriter(bytes, from: file) },
                .init("AsyncHTTPClient, async sequence") { try await raw.uploadWithSequence(bytes, from: file) },
            ]
        )
    }

    /// Writes a file with the given number of MiB.
    private static func fill(_ file: URL, count: Int64) throws {
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
            throw BenchFailure("\(file.path) can't be written.")
        }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        let piece = Data(repeating: 0x5A, count: 1_048_576)
        for _ in 0..<count { try handle.write(contentsOf: piece) }
    }

    private func section(_ races: [(race: TransferRace, raw: String)]) -> Section {
        Section(
            title: "Large bodies over loopback",
            text: """
                The contestants run in turns in one process, in \(rounds) rounds. Speeds are medians of the rounds. The memory is the \
                highest of all turns, above the memory before the turn. Before each turn the allocator returns free memory to the \
                system. The provider's first turn is the first work of the process, so that its memory includes the program's pages \
                and the first use of the engine.

                \(races.map(\.race.table).joined(separator: "\n\n"))
                """,
            verdicts: races.flatMap { race, raw -> [Section.Verdict] in
                [
                    .atLeast(
                        0.9,
                        "\(race.title), provider by AsyncHTTPClient's \(raw)",
                        measured: race.ratios(to: "AsyncHTTPClient, \(raw)").median
                    ),
                    .atMost(32, "\(race.title), peak memory above idle", measured: race.memory, unit: " MiB"),
                ]
            }
        )
    }
}
