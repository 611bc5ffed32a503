#if NIO && !canImport(Darwin)
import Foundation
import Moya
import TestServers
import TestSupport
import Testing

// This file has every line of the Swift blocks in Documentation/WebSockets.md. The tests run them.

/// The server of the document's URL.
private enum Server {
    @TaskLocal static var url: URL?
}

/// A provider as the document creates it, whose requests go to the server of the test.
private final class MoyaProvider<Target: TargetType>: Moya.MoyaProvider<Target>, @unchecked Sendable {
    convenience init() {
        let url = Server.url
        self.init(endpointClosure: { target in
            let endpoint = Moya.MoyaProvider.defaultEndpointMapping(for: target)
            return Endpoint(
                url: url?.absoluteString ?? endpoint.url,
                sampleResponseClosure: endpoint.sampleResponseClosure,
                method: endpoint.method,
                task: endpoint.task,
                httpHeaderFields: endpoint.httpHeaderFields
            )
        })
    }
}

@Suite("The documentation's examples of WebSockets run", .timeLimit(.minutes(5)))
struct ReadmeWebSocketTests {
    enum Market: TargetType {
        case ticker
        var baseURL: URL { URL(string: "wss://example.com")! }
        var path: String { "ticker" }
        var method: Moya.Method { .get }
        var task: HTTPTask { .requestPlain }
        var headers: [String: String]? { nil }
    }

    struct Price: Codable { var symbol: String; var amount: Double }

    /// Runs a block of the document with a server, and returns the lines that it prints.
    private static func printed(
        answer: @escaping @Sendable (RequestHead) -> WebSocketServer.Answer = { _ in .open() },
        serve: @escaping @Sendable (WebSocketServer.Peer) async throws -> Void,
        by block: (Recorder<String>) async throws -> Void
    ) async throws -> [String] {
        let server = try await WebSocketServer(answer: answer, serve)
        let lines = Recorder<String>()
        try await Server.$url.withValue(server.url("/ticker")) { try await block(lines) }
        await server.shutDown()
        return lines.values
    }

    private static func text(_ items: [Any]) -> String { items.map { "\($0)" }.joined(separator: " ") }

    @Test("a target opens a WebSocket")
    func open() async throws {
        let lines = try await Self.printed(serve: { peer in
            guard let first = try await peer.read() else { return }
            try await peer.send(first, .binary(Data([1, 2, 3])), .close(1000))
            _ = try await peer.readClose()
        }) { lines in
            func print(_ items: Any...) { lines.add(Self.text(items)) }
            let provider = MoyaProvider<Market>()

            let socket = try await provider.webSocket(.ticker)
            try await socket.send(.text("subscribe"))
            for try await message in socket {
                switch message {
                case .text(let text): print(text)
                case .data(let data): print(data.count)
                }
            }
        }
        #expect(lines == ["subscribe", "3"])
    }

    @Test("values are sent and read")
    func values() async throws {
        let lines = try await Self.printed(serve: { peer in
            guard let first = try await peer.read() else { return }
            try await peer.send(first, .close(1000))
            _ = try await peer.readClose()
        }) { lines in
            func print(_ items: Any...) { lines.add(Self.text(items)) }
            let provider = MoyaProvider<Market>()
            let prices = try await provider.webSocket(.ticker)
            try await prices.send(encodable: Price(symbol: "A", amount: 1))
            for try await price in prices.values(of: Price.self) { print(price.symbol, price.amount) }
        }
        #expect(lines == ["A 1.0"])
    }

    @Test("messages are read piece by piece")
    func streams() async throws {
        let lines = try await Self.printed(serve: { peer in
            try await peer.send(.text("abc"), .binary(Data(count: 100_000)), .close(1000))
            _ = try await peer.readClose()
        }) { lines in
            func print(_ items: Any...) { lines.add(Self.text(items)) }
            let provider = MoyaProvider<Market>()
            let files = try await provider.webSocket(.ticker)
            for try await message in files.messageStreams {
                var size = 0
                for try await piece in message { size += piece.count }
                print(message.kind, size)
            }
        }
        #expect(lines == ["text 3", "data 100000"])
    }

    @Test(
        "a loop ends with a usual code, and throws another one",
        arguments: [
            (code: 1000, lines: ["text(\"a\")", "The server has closed the WebSocket: 1000 bye"]),
            (code: 4000, lines: ["text(\"a\")", "4000 bye"]),
        ]
    )
    func close(code: Int, lines expected: [String]) async throws {
        let lines = try await Self.printed(serve: { peer in
            try await peer.send(.text("a"), .close(UInt16(code), "bye"))
            _ = try await peer.readClose()
        }) { lines in
            func print(_ items: Any...) { lines.add(Self.text(items)) }
            let provider = MoyaProvider<Market>()
            let room = try await provider.webSocket(.ticker)
            do {
                for try await message in room { print(message) }
                print("The server has closed the WebSocket:", room.closeCode ?? .abnormal, room.closeReason ?? "")
            } catch WebSocketError.closed(let closure) {
                print(closure.code, closure.reason)
            }
            try await room.close(code: .goingAway, reason: "The window was closed.")
        }
        #expect(lines == expected)
    }

    @Test("a refusal has the status")
    func refusal() async throws {
        let lines = try await Self.printed(answer: { _ in .refuse(403) }, serve: { _ in }) { lines in
            func print(_ items: Any...) { lines.add(Self.text(items)) }
            // In a function, unlike in a closure, the error has its type.
            func refuse() async {
                let provider = MoyaProvider<Market>()
                do {
                    _ = try await provider.webSocket(.ticker)
                } catch {
                    print(error.statusCode ?? 0, error.localizedDescription)
                }
            }
            await refuse()
        }
        #expect(lines.count == 1 && lines[0].hasPrefix("403 ") && lines[0].contains("WebSocket"))
    }

    @Test("a subprotocol is chosen, and compression offered")
    func options() async throws {
        let lines = try await Self.printed(
            answer: { request in
                let offer = request["Sec-WebSocket-Extensions"] ?? ""
                guard request["Sec-WebSocket-Protocol"] == "v2.prices, prices",
                    offer.contains("client_max_window_bits=12")
                else { return .refuse(400) }
                let extensions = "permessage-deflate; client_max_window_bits=12"
                return .open(["Sec-WebSocket-Protocol": "prices", "Sec-WebSocket-Extensions": extensions])
            },
            serve: { peer in _ = try await peer.readClose() }
        ) { lines in
            func print(_ items: Any...) { lines.add(Self.text(items)) }
            let provider = MoyaProvider<Market>()
            let options = WebSocketOptions(
                subprotocols: ["v2.prices", "prices"],
                compression: WebSocketCompression(minimumSize: 256, clientWindowBits: 12)
            )
            let compressed = try await provider.webSocket(.ticker, options: options)
            print(compressed.subprotocol ?? "none", compressed.isCompressed)
        }
        #expect(lines == ["prices true"])
    }

    @Test("a lost connection is followed by another one")
    func reconnect() async throws {
        let count = Recorder<Int>()
        let lines = try await Self.printed(serve: { peer in
            count.add(1)
            guard let first = try await peer.read() else { return }
            let closure = count.values.count == 1 ? WebSocketServer.Frame.close(1012) : .close(1000)
            try await peer.send(first, closure)
            _ = try await peer.readClose()
        }) { lines in
            func print(_ items: Any...) { lines.add(Self.text(items)) }
            let provider = MoyaProvider<Market>()
            // swift-format-ignore
            let ticker = provider.reconnectingWebSocket(.ticker, reconnection: ReconnectionPolicy(maximumFailures: 5)) { socket in
                try await socket.send(.text("subscribe"))
            }
            for try await message in ticker { print(message) }
        }
        #expect(lines == ["text(\"subscribe\")", "text(\"subscribe\")"])
    }
}
#endif
