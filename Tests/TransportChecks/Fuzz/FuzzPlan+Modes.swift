import TestSupport

extension FuzzPlan {
    /// Creates a case.
    init(_ mode: FuzzMode, seed: UInt64, number: UInt64) {
        var random = SeededGenerator(seed: seed, stream: mode.stream, number: number)
        switch mode {
        case .http1, .https1: addHTTP1(using: &random)
        case .http2: addHTTP2(using: &random)
        case .connect:
            addHTTP1(mutated: 3, using: &random)
            addCONNECT(using: &random)
        case .socks:
            addHTTP1(mutated: 3, using: &random)
            addSOCKS(using: &random)
        case .tls:
            addHTTP1(mutated: 2, using: &random)
            addRecordFault(using: &random)
        }
    }

    private mutating func addCONNECT(using random: inout SeededGenerator) {
        let texts = [
            ["HTTP/1.1 200 Connection established\r\n", "\r\n"],
            ["HTTP/1.0 200 OK\r\n", "Proxy-Agent: fuzz\r\n", "\r\n"],
            ["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 200 OK\r\n", "\r\n"],
            ["HTTP/1.1 200 OK\r\n", "Content-Length: 0\r\n", "\r\n"],
            ["HTTP/1.1 200 OK\r\n", "Transfer-Encoding: chunked\r\n", "\r\n"],
            [
                "HTTP/1.1 407 Who\r\n", "Proxy-Authenticate: Basic realm=\"x\"\r\n", "Content-Length: 5\r\n", "\r\n",
                "hello",
            ],
            ["HTTP/1.1 502 Bad Gateway\r\n", "Connection: close\r\n", "\r\n", "no such host"],
            ["HTTP/1.1 204 No Content\r\n", "\r\n"],
        ]
        // The tunnel is established in most cases, so that the bytes after it are read.
        let text = random.oneIn(2) ? texts[0] : texts[random.below(texts.count)]
        addProxyReplies([text.map { Array($0.utf8) }], using: &random)
    }

    private mutating func addSOCKS(using random: inout SeededGenerator) {
        let address: [UInt8] = random.one(
            of: [1, 0, 0, 0, 0, 0, 0],
            [1, 127, 0, 0, 1, 0x1F, 0x90],
            [3, 4] + Array("host".utf8) + [0, 80],
            [3, 0, 0, 80],
            [4] + Array(repeating: 0, count: 16) + [0, 80]
        )
        let status = random.oneIn(6) ? UInt8(random.below(256)) : 0
        let method = random.oneIn(10) ? UInt8(random.below(256)) : 0
        addProxyReplies([[[5, method]], [[5], [status], [0], address]], using: &random)
    }

    private mutating func addProxyReplies(_ texts: [[[UInt8]]], using random: inout SeededGenerator) {
        let isMutated = random.below(10) < 7
        for parts in texts {
            let count = isMutated ? random.below(3) : 0
            var reply = FuzzReply(parts, mutationCount: count, using: &random)
            // Most cases end the connection, because the client may wait for more.
            if count > 0 { reply.ending = random.oneIn(4) ? .keep : random.oneIn(8) ? .reset : .close }
            proxyReplies.append(reply)
        }
        expected = nil
    }

    private mutating func addRecordFault(using random: inout SeededGenerator) {
        if random.oneIn(10) { return }
        let kinds = RecordFault.Kind.allCases
        recordFault = RecordFault(
            kind: kinds[random.below(kinds.count)],
            // The handshake has about 1,000 bytes, the response some hundred.
            offset: random.below(random.oneIn(3) ? 40_000 : 1_800),
            count: 1 + random.below(random.oneIn(2) ? 4 : 400)
        )
        expected = nil
    }
}

/// All parts of a case, for comparison.
package struct FuzzPlanText: Equatable, Sendable {
    private let text: String

    package init(_ mode: FuzzMode, seed: UInt64, number: UInt64) {
        text = String(reflecting: FuzzPlan(mode, seed: seed, number: number))
    }
}
