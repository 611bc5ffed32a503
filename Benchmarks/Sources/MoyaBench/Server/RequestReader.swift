import NIOCore

/// Takes HTTP/1.1 requests apart, as far as the benchmarks' own requests need it: every machine cycle that the server takes
/// is one that a client can't have, so it is no server for anything else.
struct RequestReader {
    /// What a client asked.
    struct Head: Equatable {
        /// Whether it was GET.
        var isGet: Bool
        /// The request target.
        var target: String
        /// How long the body is.
        var length: Int
    }

    private static let headEnd = Array("\r\n\r\n".utf8)
    private static let lengthName = Array("content-length:".utf8)

    /// The next head, taken out of the buffer; `nil` if it is not there yet.
    static func head(from buffer: inout ByteBuffer) -> Head? {
        let view = buffer.readableBytesView
        guard let end = index(of: headEnd, in: view) else { return nil }
        let lines = view[..<end].split(separator: UInt8(ascii: "\n"))
        let words = lines.first?.split(separator: UInt8(ascii: " ")) ?? []
        var head = Head(isGet: words.first?.first == UInt8(ascii: "G"), target: "", length: 0)
        if words.count > 1 { head.target = String(decoding: words[1], as: UTF8.self) }
        if !head.isGet {
            for line in lines.dropFirst() where line.count > lengthName.count {
                guard line.prefix(lengthName.count).elementsEqual(lengthName, by: { $0 | 0x20 == $1 | 0x20 }) else {
                    continue
                }
                let digits = line.dropFirst(lengthName.count).filter { $0 >= 0x30 && $0 <= 0x39 }
                head.length = Int(String(decoding: digits, as: UTF8.self)) ?? 0
            }
        }
        buffer.moveReaderIndex(forwardBy: end - view.startIndex + headEnd.count)
        return head
    }

    private static func index(of mark: [UInt8], in view: ByteBufferView) -> Int? {
        var index = view.startIndex
        while let found = view[index...].firstIndex(of: mark[0]) {
            guard found + mark.count <= view.endIndex else { return nil }
            if view[found..<found + mark.count].elementsEqual(mark) { return found }
            index = found + 1
        }
        return nil
    }
}
