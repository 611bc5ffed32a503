import ArgumentParser
import Foundation
import Moya
import Testing

@testable import moya_cli

@Suite("A large transfer is checked byte by byte", .timeLimit(.minutes(5)))
struct TransferTests {
    private static let size = ByteCount.mebibytes(3)

    private static func transfer(
        _ direction: TransferDirection = .download,
        _ transport: TransferTransport = .platformDefault,
        at baseURL: URL? = URL(string: "http://127.0.0.1:1")
    ) throws -> Transfer {
        // The memory limit is high, because concurrent tests use memory.
        Transfer(
            direction: direction,
            size: size,
            transport: transport,
            usesSystemProxies: false,
            memoryLimit: 1 << 40,
            baseURL: try #require(baseURL)
        )
    }

    #if NIO
    @Test(
        "a transfer is received completely in each direction over each engine",
        arguments: TransferDirection.allCases,
        TransferTransport.allCases
    )
    func whole(_ direction: TransferDirection, _ transport: TransferTransport) async throws {
        let report = try await DemoServer.run { server in
            try await Self.transfer(direction, transport, at: server.baseURL).run()
        }
        #expect(report.isWhole, "\(report.text)")
        #expect(report.isAsExpected)
        #expect(report.idle > 0)
        #expect(report.peak >= report.idle)
        #expect(report.text.hasPrefix("\(direction.rawValue) of 3.0 MiB through \(transport.rawValue)\n"))
    }

    @Test("a wrong byte fails the check of a transfer", arguments: TransferDirection.allCases)
    func damaged(_ direction: TransferDirection) async throws {
        let report = try await DemoServer.run(faults: [.damagedBytes]) { server in
            try await Self.transfer(direction, at: server.baseURL).run()
        }
        #expect(!report.isWhole)
        #expect(!report.isAsExpected)
        #expect(report.text.hasSuffix("✗ not as expected"))
    }
    #endif

    @Test("a transfer to an unreachable server fails with an error", arguments: TransferDirection.allCases)
    func nobody(_ direction: TransferDirection) async throws {
        let transfer = try Self.transfer(direction)
        await #expect(throws: MoyaError.self) { try await transfer.run() }
    }

    @Test(
        "a transfer passes the check if it is complete and within the memory limit, and a form has bytes around the file",
        arguments: [
            (.download, 3 << 20, 3 << 20, (1 << 40) - 1, true),
            (.download, 3 << 20, 3 << 20, 1 << 40, false),
            (.download, 3 << 20 - 1, 3 << 20 - 1, 0, false),
            (.download, 3 << 20, 3 << 20 - 1, 0, false),
            (.download, 3 << 20 + 1, 3 << 20, 0, false),
            (.upload, 3 << 20 + 1, 3 << 20, 0, false),
            (.multipart, 3 << 20 + 1, 3 << 20, 0, true),
            (.multipart, 3 << 20, 3 << 20, 0, false),
            (.multipart, 3 << 20 + 1, 3 << 20 - 1, 0, false),
            (.stream, 3 << 20, 3 << 20, 0, true),
        ] as [(TransferDirection, Int64, Int64, Int, Bool)]
    )
    func verdict(
        _ direction: TransferDirection,
        _ bytes: Int64,
        _ content: Int64,
        _ growth: Int,
        _ isAsExpected: Bool
    ) throws {
        let report = TransferReport(
            transfer: try Self.transfer(direction),
            receipt: ByteReceipt(bytes: bytes, content: content),
            time: .seconds(2),
            idle: 1 << 20,
            peak: 1 << 20 + growth
        )
        #expect(report.isAsExpected == isAsExpected, "\(report.text)")
    }

    @Test("the report of a transfer contains the rate and the memory")
    func text() throws {
        let report = TransferReport(
            transfer: try Self.transfer(),
            receipt: ByteReceipt(bytes: 3 << 20, content: 3 << 20),
            time: .seconds(2),
            idle: 10 << 20,
            peak: 25 << 19
        )
        #expect(
            report.text.contains("\n3145728 bytes arrived, 3145728 of 3145728 as they should be\n2.00 s, 1.5 MiB/s\n")
        )
        #expect(
            report.text.contains(
                "memory: 10.0 MiB idle, 12.5 MiB peak, 2.5 MiB more (allowed: less than 1048576.0 MiB)"
            )
        )
    }

    @Test("allocated memory raises the recorded memory peak")
    func memory() {
        let watch = MemoryMonitor()
        let count = 64 << 20
        // Each byte is written, because otherwise the system allocates no memory. The memory is kept until the peak is read, because
        // another test may reset the peak meanwhile.
        let peak = Data(repeating: 1, count: count).withUnsafeBytes { $0.last == 1 ? watch.stop() : 0 }
        #expect(watch.idle > 0)
        #expect(peak - watch.idle >= count / 2)
    }

    @Test("the values of /proc/self/status are parsed by name")
    func status() {
        let status = ProcessStatus("Name:\tx\nVmHWM:\t  2048 kB\nVmRSS:\t 1024 kB\nThreads:\t3\n")
        #expect(status.bytes("VmHWM") == 2_048 * 1_024)
        #expect(status.bytes("VmRSS") == 1_024 * 1_024)
        #expect(status.bytes("VmSwap") == 0)
        #expect(ProcessStatus("").bytes("VmRSS") == 0)
    }
}
