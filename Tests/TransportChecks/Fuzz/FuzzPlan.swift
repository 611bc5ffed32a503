import Foundation

/// The fuzzed protocol.
package enum FuzzMode: String, CaseIterable, Sendable {
    /// Responses of HTTP/1.1.
    case http1
    /// Responses of HTTP/1.1 over TLS.
    case https1
    /// Frames of HTTP/2.
    case http2
    /// The responses of an HTTP proxy to CONNECT.
    case connect
    /// The responses of a SOCKS5 proxy.
    case socks
    /// TLS records.
    case tls

    var usesTLS: Bool { self == .https1 || self == .http2 || self == .tls }
    var usesProxy: Bool { self == .connect || self == .socks }
    var stream: UInt64 { UInt64(Self.allCases.firstIndex(of: self) ?? 0) }
}

/// One case: the client's request and the server's behavior, determined by the seed and the number of the case.
struct FuzzPlan: Sendable {
    /// The requests of the client.
    var requests: [FuzzRequest] = []
    /// Whether the client sends its requests concurrently.
    var areConcurrent = false
    /// The bytes that the server sends when the connection is accepted.
    var opening: FuzzReply?
    /// The replies of a proxy, one for each of its steps.
    var proxyReplies: [FuzzReply] = []
    /// The bytes that the server sends for each request, repeatedly.
    var replies: [FuzzReply] = []
    /// The mutation of the TLS bytes.
    var recordFault: RecordFault?
    /// The required result of each request if nothing was mutated.
    var expected: FuzzExpectation?
}

struct FuzzExpectation: Equatable, Sendable {
    var status: Int
    var body: Data
}

struct FuzzRequest: Sendable {
    enum Body: Sendable {
        case none, data(Int), pieces(Int, count: Int)

        var isNone: Bool { if case .none = self { true } else { false } }
    }

    var method = "GET"
    var body = Body.none
    var isStreamed = false
    /// Whether the client leaves the body after its first piece.
    var leavesEarly = false
}

/// The bytes that the server sends at one time.
struct FuzzReply: Sendable {
    enum Content: Sendable {
        case bytes([UInt8])
        case frames([FuzzFrame])
    }

    enum Ending: Sendable {
        /// Waits for the client's next action.
        case keep
        case close
        case reset
    }

    var content = Content.bytes([])
    var mutations: [ByteMutation] = []
    /// The number and the positions of the cuts between writes.
    var cuts: [UInt64] = []
    var ending = Ending.keep

    /// Returns the bytes to send on the stream of the request.
    func bytes(stream: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        switch content {
        case .bytes(let all): bytes = all
        case .frames(let frames):
            for frame in frames { frame.append(to: &bytes, requestStream: stream) }
        }
        for mutation in mutations { mutation.apply(to: &bytes) }
        return bytes
    }

    /// Returns the bytes in pieces, one for each write.
    func pieces(stream: UInt32) -> [ArraySlice<UInt8>] {
        let all = bytes(stream: stream)
        let places = cuts.map { Int($0 % UInt64(all.count + 1)) }.sorted()
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        for place in places + [all.count] where place > start {
            pieces.append(all[start..<place])
            start = place
        }
        return pieces
    }
}

/// The mutation of the bytes that a server sends below TLS.
struct RecordFault: Sendable {
    enum Kind: Sendable, CaseIterable { case close, reset, stall, flip, drop, duplicate, insert, split }

    var kind: Kind
    /// The number of bytes before the mutation.
    var offset: Int
    var count: Int
}
