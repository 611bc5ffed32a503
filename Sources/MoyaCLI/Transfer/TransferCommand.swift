import ArgumentParser
import Foundation
import Moya

/// The command `moya-cli transfer`.
struct TransferCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer",
        abstract: "Transfer a large body, and measure the memory.",
        discussion: """
            The command starts the demo's server in a separate process, so that its memory does not count, performs \
            the transfer after a small one of the same kind, and checks each received byte. It prints the \
            rate and the memory of this process: idle, which is just before the transfer, and the peak \
            during it. Files are in the folder for temporary files, and are removed.

            With --base-url it uses another server, such as one that `moya-cli serve` runs:

              GET  /bytes/{count}                 so many bytes (Sources/MoyaCLI/Bytes/BytePattern.swift)
              POST /bytes                         how many bytes there were, and how many of those

            The exit status is 0 if everything arrived and memory grew by less than --memory-limit, otherwise 1.
            """
    )

    @Option(help: "The direction of the transfer.")
    var direction = TransferDirection.download

    @Option(help: "The size: a number of bytes, or a number with KiB, MiB or GiB.")
    var size = ByteCount.mebibytes(1_024)

    @Option(help: "The transport.")
    var transport = TransferTransport.platformDefault

    @Option(help: ArgumentHelp("The limit for the growth of the memory, in MiB.", valueName: "mib"))
    var memoryLimit = 32

    @Option(
        name: .customLong("base-url"),
        help: ArgumentHelp("Use this server instead of starting one.", valueName: "url"),
        transform: BaseURL.init(argument:)
    )
    var baseURL: BaseURL?

    func validate() throws {
        guard (0...Self.largestMemoryLimit).contains(memoryLimit) else {
            throw ValidationError("The memory limit must be from 0 to \(Self.largestMemoryLimit) MiB.")
        }
        #if !NIO
        if baseURL == nil {
            throw ValidationError(
                """
                This build has no server to start, as the package trait NIO is off. \
                Build with the trait, or name a server with --base-url.
                """
            )
        }
        #endif
    }

    func run() async throws {
        // A signal cancels the transfer, so that an interrupted transfer also removes its files.
        let report = try await Interrupt.cancelOnSignal { try await self.report() }
        print(report.text)
        guard report.isAsExpected else { throw ExitCode.failure }
    }

    func report() async throws -> TransferReport {
        if let baseURL { return try await transfer(at: baseURL.url).run() }
        #if NIO && (os(macOS) || os(Linux))
        return try await ServerProcess.run { try await transfer(at: $0).run() }
        #else
        // validate() has thrown if the trait is off, so this line runs only on platforms on which applications cannot start
        // processes.
        throw ExitCode.validationFailure
        #endif
    }

    private func transfer(at baseURL: URL) -> Transfer {
        Transfer(
            direction: direction,
            size: size,
            transport: transport,
            usesSystemProxies: self.baseURL != nil,
            memoryLimit: memoryLimit << 20,
            baseURL: baseURL
        )
    }

    private static let largestMemoryLimit = 1 << 20
}

/// The kind of transfer.
enum TransferDirection: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Writes the response's body to a file.
    case download
    /// Sends a file as the body.
    case upload
    /// Sends a file as a part of a form.
    case multipart
    /// Streams the response's body and discards it.
    case stream
}

/// The transport of the transfer.
enum TransferTransport: String, CaseIterable, ExpressibleByArgument, Sendable {
    #if NIO && !canImport(Darwin)
    case nio
    #endif
    case urlSession = "urlsession"

    /// The platform's default transport.
    static var platformDefault: TransferTransport { allCases[0] }

    /// Creates the transport, with or without the proxies of the environment; a proxy may not reach a server on this machine.
    func make(usesSystemProxies: Bool) throws -> any HTTPTransport {
        let configuration: URLSessionConfiguration = usesSystemProxies ? .withDefaultHeaders : .withoutProxies
        switch self {
        #if NIO && !canImport(Darwin)
        case .nio: return try Session.makeTransport(connection: nil, configuration: configuration)
        #endif
        case .urlSession: return URLSessionTransport(configuration: configuration)
        }
    }
}
