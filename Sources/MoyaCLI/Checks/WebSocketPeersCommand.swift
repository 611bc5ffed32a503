#if NIO && !canImport(Darwin)
import ArgumentParser
import Foundation
import Moya

/// The command `moya-cli websocket-peers`, which `scripts/check/websocket-peers` runs against servers of other projects.
struct WebSocketPeersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "websocket-peers",
        abstract: "Check WebSockets against a server that others wrote.",
        shouldDisplay: false
    )

    @OptionGroup var check: WebSocketCheckOptions

    @Option(help: "A check to run, by its name's beginning; all without one.")
    var only: [String] = []

    @Option(help: "A check to skip, by its name's beginning.")
    var skip: [String] = []

    @Option(help: "The size of the largest messages in bytes.")
    var largest = 64 << 20

    func run() async throws {
        let session = try check.makeSession()
        var failures = 0
        for (name, run) in checks(session) {
            guard only.isEmpty || only.contains(where: name.hasPrefix), !skip.contains(where: name.hasPrefix) else {
                continue
            }
            do {
                try await run()
                print("ok   \(name)")
            } catch {
                failures += 1
                print("FAIL \(name): \(error)")
            }
        }
        await session.transport.shutdown()
        guard failures == 0 else { throw ExitCode.failure }
    }

    private struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    private typealias Check = (name: String, run: () async throws -> Void)

    private func checks(_ session: Session) -> [Check] {
        messageChecks(session) + windowChecks(session) + closeChecks(session) + handshakeChecks(session)
            + controlChecks(session)
    }

    // MARK: Messages

    private func messageChecks(_ session: Session) -> [Check] {
        let sizes = [0, 1, 125, 126, 65_535, 65_536, 1 << 20, largest]
        return [nil, WebSocketCompression(minimumSize: 1)].flatMap { compression in
            [true, false].map { isText in
                let name = "messages, \(isText ? "text" : "binary"), \(compression == nil ? "plain" : "compressed")"
                return (
                    name,
                    {
                        // A server with one thread answers no pings while it compresses a large message.
                        let options = WebSocketOptions(
                            compression: compression,
                            maximumMessageSize: largest,
                            keepAlive: nil
                        )
                        try await echo(sizes, isText: isText, options, session)
                    }
                )
            }
        } + [
            (
                "messages in many frames",
                {
                    let options = WebSocketOptions(
                        compression: nil,
                        maximumMessageSize: largest,
                        outgoingFrameSize: 1_000
                    )
                    try await echo([999, 1_000, 1_001, 100_000, 3 << 20], isText: true, options, session)
                }
            ),
            (
                "messages of the server in many frames",
                {
                    let socket = try await open("/fragments", WebSocketOptions(), session)
                    guard try await socket.receive() == .text(String(repeating: "Grüße ", count: 1_000)) else {
                        throw Failure("The text differs.")
                    }
                    guard try await socket.receive() == .data(Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) }))
                    else { throw Failure("The bytes differ.") }
                    try await socket.close()
                }
            ),
        ]
    }

    private func echo(
        _ sizes: [Int],
        isText: Bool,
        _ options: WebSocketOptions,
        _ session: Session,
        path: String = "/echo"
    ) async throws {
        let socket = try await open(path, options, session)
        for size in sizes {
            let message = Self.message(size, isText: isText)
            async let sent: Void = socket.send(message)
            let received = try await socket.receive()
            try await sent
            guard received == message else {
                throw Failure("The message of \(size) bytes became \(received?.bytes.count ?? -1) bytes.")
            }
        }
        try await close(socket, .normal)
    }

    /// Returns a message that compresses to about a half, and whose text has characters of several bytes.
    private static func message(_ size: Int, isText: Bool) -> WebSocketMessage {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 8)
        while bytes.count < size {
            let random: UInt64 = generator.next()
            var word = random & 0x0F0F_0F0F_0F0F_0F0F | 0x6060_6060_6060_6060
            // The last two bytes become é in UTF-8, unless the message ends inside them.
            if random >> 63 == 1, bytes.count + 8 <= size { word = word & 0x0000_FFFF_FFFF_FFFF | 0xA9C3 << 48 }
            withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes.removeLast(bytes.count - size)
        return isText ? .text(String(decoding: bytes, as: UTF8.self)) : .data(Data(bytes))
    }

    // MARK: Windows

    private func windowChecks(_ session: Session) -> [Check] {
        let offers = (9...15).flatMap { bits in
            [
                (
                    "windows, offer of \(bits) for the client",
                    WebSocketCompression(minimumSize: 1, clientWindowBits: bits)
                ),
                (
                    "windows, offer of \(bits) for the server",
                    WebSocketCompression(minimumSize: 1, serverWindowBits: bits)
                ),
                (
                    "windows, offer of \(bits) for both, without takeover",
                    WebSocketCompression(
                        minimumSize: 1,
                        clientWindowBits: bits,
                        serverWindowBits: bits,
                        clientNoContextTakeover: true,
                        serverNoContextTakeover: true
                    )
                ),
            ]
        }
        let offered: [Check] = offers.map { name, compression in
            (
                name,
                { try await echo(Self.windowSizes, isText: false, WebSocketOptions(compression: compression), session) }
            )
        }
        let demanded: [Check] = (8...15).flatMap { bits in
            ["client", "server"].map { side in
                (
                    "windows, \(bits) for the \(side) demanded by the server",
                    {
                        let options = WebSocketOptions(compression: WebSocketCompression(minimumSize: 1))
                        let path = "/windows?\(side)=\(bits)"
                        try await echo(Self.windowSizes, isText: false, options, session, path: path)
                    }
                )
            }
        }
        return offered + demanded
    }

    private static let windowSizes = [10, 300, 5_000, 5_000, 100_000, 100_000, 1_000_000]

    // MARK: Close

    private static let codes: [UInt16] = [
        1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 4999,
    ]

    private func closeChecks(_ session: Session) -> [Check] {
        let byClient: [Check] = Self.codes.map { number in
            let code = WebSocketCloseCode(rawValue: number)
            return (
                "close by the client, \(number)",
                {
                    let socket = try await open("/echo", WebSocketOptions(), session)
                    try await close(socket, code, reason: "Bye")
                }
            )
        }
        let byServer: [Check] = Self.codes.map { number in
            let code = WebSocketCloseCode(rawValue: number)
            return (
                "close by the server, \(number)",
                {
                    let socket = try await open("/close?code=\(number)&reason=B%C3%BCro", WebSocketOptions(), session)
                    var thrown: WebSocketError?
                    do {
                        for try await _ in socket {}
                    } catch let error as WebSocketError {
                        thrown = error
                    }
                    let isNormal = number <= 1001
                    let closure = WebSocketClosure(code, reason: "Büro")
                    guard thrown == (isNormal ? nil : .closed(closure)), socket.closeCode == code,
                        socket.closeReason == "Büro"
                    else {
                        throw Failure("\(String(describing: thrown)) \(String(describing: socket.closeCode))")
                    }
                    try await socket.close()
                }
            )
        }
        return byClient + byServer
    }

    private func close(_ socket: WebSocket, _ code: WebSocketCloseCode, reason: String = "") async throws {
        let start = ContinuousClock.now
        try await socket.close(code: code, reason: reason)
        let time = ContinuousClock.now - start
        guard socket.closeCode == code else {
            throw Failure(
                "The server has answered \(code) with \(socket.closeCode.map(String.init(describing:)) ?? "nothing")."
            )
        }
        guard time < .seconds(4) else { throw Failure("The closure has taken \(time).") }
    }

    // MARK: Handshake

    private func handshakeChecks(_ session: Session) -> [Check] {
        let refusals: [Check] = [401, 404, 426, 503].map { status in
            (
                "refusal, \(status)",
                {
                    do {
                        _ = try await open("/refuse?status=\(status)", WebSocketOptions(), session)
                        throw Failure("The server has agreed.")
                    } catch let error as WebSocketUpgradeError {
                        guard error.error == .upgradeRefused(status: status) else { throw error }
                    }
                }
            )
        }
        return refusals + [
            (
                "redirect",
                {
                    let socket = try await open("/redirect", WebSocketOptions(), session)
                    try await socket.send(.text("redirected"))
                    guard try await socket.receive() == .text("redirected") else { throw Failure("No echo.") }
                    try await close(socket, .normal)
                }
            ),
            (
                "subprotocol",
                {
                    let options = WebSocketOptions(subprotocols: ["v9.other", "v2.prices", "prices"])
                    let socket = try await open("/subprotocol", options, session)
                    guard socket.subprotocol == "v2.prices" else {
                        throw Failure("The subprotocol is \(socket.subprotocol ?? "none").")
                    }
                    try await close(socket, .normal)
                }
            ),
            (
                "no common subprotocol",
                {
                    do {
                        let socket = try await open(
                            "/subprotocol",
                            WebSocketOptions(subprotocols: ["v9.other"]),
                            session
                        )
                        guard socket.subprotocol == nil else { throw Failure("There is one.") }
                        try await socket.close()
                    } catch let error as WebSocketUpgradeError {
                        guard case .upgradeRefused = error.error else { throw error }
                    }
                }
            ),
        ]
    }

    // MARK: Control frames

    private func controlChecks(_ session: Session) -> [Check] {
        [
            (
                "pings of the client",
                {
                    let socket = try await open("/echo", WebSocketOptions(), session)
                    for _ in 0..<1_000 { _ = try await socket.ping() }
                    try await close(socket, .normal)
                }
            ),
            (
                "flood of pings",
                {
                    let socket = try await open("/pings?count=50000", WebSocketOptions(), session)
                    let message = try await socket.receive()
                    guard message == .text("done") else { throw Failure("\(String(describing: message))") }
                    try await close(socket, .normal)
                }
            ),
        ]
    }

    private func open(_ path: String, _ options: WebSocketOptions, _ session: Session) async throws -> WebSocket {
        var options = options
        if check.uncompressed { options.compression = nil }
        return try await session.webSocket(for: try check.request(path), options: options)
    }
}
#endif
