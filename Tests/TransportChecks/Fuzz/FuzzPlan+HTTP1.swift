import Foundation
import TestSupport

/// A valid HTTP/1.1 response in parts that are dropped, repeated and swapped.
struct HTTP1Conversation {
    var parts: [[UInt8]] = []
    var expected: FuzzExpectation?
    /// Whether only the end of the connection ends the body.
    var endsWithConnection = false

    /// gzip of "The quick brown fox jumps over the lazy dog".
    private static let gzipped: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff, 0x0b, 0xc9, 0x48, 0x55, 0x28, 0x2c, 0xcd, 0x4c,
        0xce, 0x56, 0x48, 0x2a, 0xca, 0x2f, 0xcf, 0x53, 0x48, 0xcb, 0xaf, 0x50, 0xc8, 0x2a, 0xcd, 0x2d, 0x28, 0x56,
        0xc8, 0x2f, 0x4b, 0x2d, 0x52, 0x28, 0x01, 0x4a, 0xe7, 0x24, 0x56, 0x55, 0x2a, 0xa4, 0xe4, 0xa7, 0x03, 0x00,
        0x39, 0xa3, 0x4f, 0x41, 0x2b, 0x00, 0x00, 0x00,
    ]
    static let gzipText = "The quick brown fox jumps over the lazy dog"

    private static let fields = [
        "Content-Type: text/plain; charset=utf-8", "Server: fuzz", "Set-Cookie: a=b; Path=/; HttpOnly", "Vary: *",
        "Date: Sun, 06 Nov 1994 08:49:37 GMT", "ETag: \"x\"", "Keep-Alive: timeout=5", "Connection: keep-alive",
        "X-Folded: a\r\n b", "X-Empty:", "Trailer: X-Sum", "Cache-Control: no-store", "Link: </a>; rel=preload",
    ]

    private mutating func add(_ text: String) { parts.append(Array(text.utf8)) }

    init(method: String, using random: inout SeededGenerator) {
        for _ in 0..<(random.oneIn(4) ? 1 + random.below(3) : 0) {
            add(random.one(of: "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </s>\r\n\r\n"))
        }
        let version = random.oneIn(12) ? "1.0" : "1.1"
        let hasNoBody = method == "HEAD" || random.oneIn(12)
        let status = hasNoBody && method != "HEAD" ? random.one(of: 204, 304) : random.one(of: 200, 200, 200, 404, 500)
        add("HTTP/\(version) \(status) \(random.one(of: "OK", "", "Not Found"))\r\n")
        for _ in 0..<random.below(7) { add(Self.fields[random.below(Self.fields.count)] + "\r\n") }
        let isGzip = random.oneIn(8)
        let body = isGzip ? Self.gzipped : random.bytes(random.oneIn(20) ? random.below(200_000) : random.below(300))
        if isGzip { add("Content-Encoding: gzip\r\n") }
        let decoded = isGzip ? Data(Self.gzipText.utf8) : Data(body)
        expected = FuzzExpectation(status: status, body: hasNoBody ? Data() : decoded)
        if hasNoBody {
            if method == "HEAD" { add("Content-Length: \(body.count)\r\n") }
            add("\r\n")
            return
        }
        switch version == "1.0" ? 3 * random.below(2) : random.below(4) {
        case 0:
            add("Content-Length: \(body.count)\r\n")
            add("\r\n")
            parts.append(body)
        case 1, 2:
            add("Transfer-Encoding: chunked\r\n")
            add("\r\n")
            var rest = body[...]
            while !rest.isEmpty {
                let chunk = rest.prefix(1 + random.below(rest.count))
                add(String(chunk.count, radix: 16) + (random.oneIn(5) ? ";name=\"value\"" : "") + "\r\n")
                parts.append(Array(chunk))
                add("\r\n")
                rest = rest.dropFirst(chunk.count)
            }
            add("0\r\n")
            if random.oneIn(3) { add("X-Sum: 1\r\n") }
            add("\r\n")
        default:
            add("Connection: close\r\n")
            add("\r\n")
            parts.append(body)
            endsWithConnection = true
        }
    }

    /// Adds long elements or an excessive number of elements.
    mutating func exaggerate(using random: inout SeededGenerator) {
        let place = min(1, parts.count)
        switch random.below(6) {
        case 0:
            parts.insert(Array("X-Long: \(String(repeating: "x", count: 1 << random.below(20)))\r\n".utf8), at: place)
        case 1: parts.insert(Array(String(repeating: "X-Many: y\r\n", count: 1 << random.below(14)).utf8), at: place)
        case 2:
            let interim = String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 1 << random.below(12))
            parts.insert(Array(interim.utf8), at: 0)
        case 3: parts.append(Array(String(repeating: "0\r\n\r\n", count: 1 << random.below(10)).utf8))
        case 4: parts.append(Array("1;\(String(repeating: "e", count: 1 << random.below(18)))\r\nx\r\n".utf8))
        default: parts.append(random.bytes(1 << random.below(16)))
        }
    }
}

extension FuzzReply {
    /// Creates a reply from parts, whose order is mutated first, and then their bytes.
    init(_ parts: [[UInt8]], mutationCount: Int, using random: inout SeededGenerator) {
        var parts = parts
        for _ in 0..<mutationCount {
            if random.oneIn(3) {
                parts.mutateOrder(using: &random)
            } else if random.oneIn(2), !parts.isEmpty {
                // The mutation changes one part, so that small parts are mutated as often as long ones.
                ByteMutation(using: &random).apply(to: &parts[random.below(parts.count)])
            } else {
                mutations.append(ByteMutation(using: &random))
            }
        }
        content = .bytes(Array(parts.joined()))
        cut(using: &random)
    }

    mutating func cut(using random: inout SeededGenerator) {
        cuts = random.oneIn(2) ? [] : (0..<1 + random.below(4)).map { _ in random.next() }
    }
}

extension FuzzRequest {
    init(using random: inout SeededGenerator) {
        method = random.one(of: "GET", "GET", "GET", "HEAD", "POST", "PUT")
        isStreamed = random.oneIn(2)
        leavesEarly = random.oneIn(20)
        if method == "POST" || method == "PUT" {
            switch random.below(4) {
            case 0: body = .none
            case 1: body = .data(random.oneIn(8) ? 300_000 : random.below(500))
            default: body = .pieces(random.below(5_000), count: random.below(5))
            }
        }
    }
}

extension FuzzPlan {
    /// Adds an HTTP/1.1 exchange; `mutated` of ten cases are mutated.
    mutating func addHTTP1(mutated: Int = 9, using random: inout SeededGenerator) {
        let isMutated = random.below(10) < mutated
        let request = FuzzRequest(using: &random)
        requests = Array(repeating: request, count: random.oneIn(3) ? 2 : 1)
        for _ in 0..<(isMutated ? requests.count : 1) {
            var conversation = HTTP1Conversation(method: request.method, using: &random)
            if isMutated, random.oneIn(40) { conversation.exaggerate(using: &random) }
            var reply = FuzzReply(
                conversation.parts,
                mutationCount: isMutated ? 1 + random.below(4) : 0,
                using: &random
            )
            if isMutated {
                reply.ending = random.oneIn(40) ? .keep : random.oneIn(40) ? .reset : .close
            } else {
                reply.ending = conversation.endsWithConnection ? .close : .keep
                // A connection that is closed while a body is sent may lose the response.
                if !conversation.endsWithConnection || request.body.isNone { expected = conversation.expected }
            }
            replies.append(reply)
        }
    }
}
