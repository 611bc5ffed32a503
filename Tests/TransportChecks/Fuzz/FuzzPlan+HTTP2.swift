import Foundation
import TestSupport

extension FuzzPlan {
    mutating func addHTTP2(using random: inout SeededGenerator) {
        let isMutated = !random.oneIn(10)
        let request = FuzzRequest(using: &random)
        areConcurrent = true
        requests = Array(repeating: request, count: random.one(of: 1, 1, 2, 3))
        var opening = [FuzzFrame.settings(random.oneIn(2) ? [] : [(3, 100), (4, 1 << 20)])]
        if random.oneIn(3) {
            opening.append(FuzzFrame(.windowUpdate, stream: .fixed(0), payload: FuzzFrame.bytes(1 << 20)))
        }
        if isMutated, random.oneIn(4) {
            self.opening = FuzzReply(frames: opening, mutationCount: 1 + random.below(2), using: &random)
        } else {
            self.opening = FuzzReply(frames: opening, mutationCount: 0, using: &random)
        }
        for _ in 0..<(isMutated ? requests.count : 1) {
            let conversation = HTTP2Conversation(method: request.method, isMutated: isMutated, using: &random)
            let count = isMutated ? random.below(4) : 0
            var reply = FuzzReply(frames: conversation.frames, mutationCount: count, using: &random)
            switch random.below(40) {
            case 0: reply.ending = .keep
            case 1 where isMutated: reply.ending = .reset
            default: reply.ending = isMutated ? .close : .keep
            }
            replies.append(reply)
            if !isMutated { expected = conversation.expected }
        }
    }
}

/// A response of HTTP/2: valid, or with fields that responses must not have.
private struct HTTP2Conversation {
    var frames: [FuzzFrame] = []
    var expected: FuzzExpectation

    private static let statuses = [
        "-1", "", "+200", "99", "1000", "9223372036854775807", "101", "100", "103", "600", "20", "2000", "abc", "200 ",
        " 200",
    ]
    private static let fields = [
        ("connection", "close"), ("transfer-encoding", "chunked"), ("keep-alive", "x"), ("Upper-Case", "x"),
        ("content-length", "-1"), ("content-length", "5"), ("content-length", "99999999999999999999"), ("", "x"),
        ("a\0b", "x"), ("a", "x\r\nb: c"), ("a b", "x"), (":path", "/"), (":status", "200"), (":unknown", "x"),
        ("te", "gzip"),
        ("content-encoding", "gzip"), ("content-encoding", "br"), ("set-cookie", String(repeating: "x", count: 70_000)),
    ]

    init(method: String, isMutated: Bool, using random: inout SeededGenerator) {
        for _ in 0..<(random.oneIn(4) ? 1 + random.below(3) : 0) {
            var block = HPACKBlock()
            block.add(":status", "103")
            block.add("link", "</style.css>")
            frames.append(FuzzFrame(.headers, flags: FuzzFrame.endHeaders, payload: block.bytes))
        }
        var block = HPACKBlock()
        let status = isMutated && random.oneIn(8) ? Self.statuses[random.below(Self.statuses.count)] : "200"
        if !isMutated || !random.oneIn(40) {
            if status == "200", random.oneIn(2) { block.bytes.append(0x88) } else { block.add(":status", status) }
        }
        for _ in 0..<random.below(5) { block.add("x-field", "value", isIndexed: random.oneIn(2)) }
        if isMutated, random.oneIn(6) {
            let (name, value) = Self.fields[random.below(Self.fields.count)]
            block.add(name, value)
        }
        if isMutated, random.oneIn(10) { block.addGarbage(using: &random) }
        let hasBody = method != "HEAD" && !random.oneIn(8)
        let body = hasBody ? random.bytes(random.oneIn(12) ? random.below(60_000) : random.below(400)) : []
        expected = FuzzExpectation(status: 200, body: Data(body))
        let hasTrailers = hasBody && random.oneIn(4)
        addBlock(block, endsStream: !hasBody, using: &random)
        guard hasBody else { return }
        var rest = body[...]
        repeat {
            let piece = rest.prefix(1 + random.below(min(16_384, max(1, rest.count))))
            rest = rest.dropFirst(piece.count)
            let isLast = rest.isEmpty && !hasTrailers
            var frame = FuzzFrame(.data, flags: isLast ? FuzzFrame.endStream : 0, payload: Array(piece))
            if random.oneIn(6), piece.count < 16_000 {
                frame.flags |= FuzzFrame.padded
                frame.payload = [3] + piece + [0, 0, 0]
            }
            frames.append(frame)
        } while !rest.isEmpty
        if hasTrailers {
            var trailers = HPACKBlock()
            trailers.add("x-sum", "1")
            addBlock(trailers, endsStream: true, using: &random)
        }
    }

    /// Adds a block in one frame or, if it is long, in several.
    private mutating func addBlock(_ block: HPACKBlock, endsStream: Bool, using random: inout SeededGenerator) {
        let end = endsStream ? FuzzFrame.endStream : 0
        var pieces: [ArraySlice<UInt8>] = []
        var rest = block.bytes[...]
        let limit = random.oneIn(4) ? 1 + random.below(30) : 16_384
        // A long block in tiny pieces would be a flood, which is tested separately.
        let size = rest.count > 1_000 ? 16_384 : limit
        repeat {
            pieces.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        } while !rest.isEmpty
        for (index, piece) in pieces.enumerated() {
            let flags = index == pieces.count - 1 ? FuzzFrame.endHeaders : 0
            frames.append(
                FuzzFrame(
                    index == 0 ? .headers : .continuation,
                    flags: index == 0 ? flags | end : flags,
                    payload: Array(piece)
                )
            )
        }
    }
}

extension FuzzReply {
    /// Creates a reply from frames: their order is mutated, other frames are inserted, and then the frames and their bytes are
    /// mutated.
    init(frames: [FuzzFrame], mutationCount: Int, using random: inout SeededGenerator) {
        var frames = frames
        for _ in 0..<mutationCount {
            switch random.below(8) {
            case 0, 1: frames.mutateOrder(using: &random)
            case 2, 3: frames.insert(.strange(using: &random), at: random.below(frames.count + 1))
            case 4, 5: if !frames.isEmpty { frames[random.below(frames.count)].mutate(using: &random) }
            case 6:
                // A flood of frames costs the receiver time or memory.
                let frame = FuzzFrame.strange(using: &random)
                let count = random.oneIn(8) ? 1 << random.below(11) : 1 + random.below(8)
                frames.insert(contentsOf: Array(repeating: frame, count: count), at: random.below(frames.count + 1))
            default: mutations.append(ByteMutation(using: &random))
            }
        }
        content = .frames(frames)
        cut(using: &random)
    }
}
