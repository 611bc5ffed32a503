import NIOCore

/// A minimal parser for the HTTP/1.1 requests of the benchmarks.
///
/// The parser is fast, because the server and the clients share the processor; it is not suitable for other requests.
struct RequestReader {
    /// The head of a request.
    struct Head: Equatable {
        /// Whether the method is GET.
        var isGet: Bool
        /// The request target.
        var target: String
        /// The length of the body.
        var length: Int
    }

    private static let headEnd = Array("\r\n\r\n".utf8)
    private static let lengthName = Array("content-length:".utf8)

    /// Reads the next head from the buffer; `nil` if it is incomplete.
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
