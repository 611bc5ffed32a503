#if NIO && !canImport(Darwin)
/// The head of a response (RFC 9112, section 4) that is complete in one piece of bytes and has the usual form, parsed in one pass.
///
/// Any other head is parsed line by line, and by the same rules (``HTTP1ResponseParser``): a head that arrives in several pieces, an
/// invalid one, or one in which a line break is LF or a value has a tab.
struct HTTP1WholeHead {
    let status: Int
    let minorVersion: UInt8
    let reasonPhrase: String
    let fields: ResponseFields
    let framing: HTTP1ResponseFraming
    /// The number of bytes, including the empty line.
    let length: Int

    /// Returns `nil` if the head is incomplete or has another form.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let bytes = UnsafeRawBufferPointer(rebasing: bytes.prefix(HTTP1Limits.head))
        // HTTP/1.1 200
        guard bytes.count > 12, UnsafeRawBufferPointer(rebasing: bytes[..<7]).isEqual(to: "HTTP/1."),
            bytes[7].isDigit, bytes[8] == UInt8(ascii: " "),
            bytes[9].isDigit, bytes[9] != UInt8(ascii: "0"), bytes[10].isDigit, bytes[11].isDigit
        else { return nil }
        var position = 12
        if bytes[12] == UInt8(ascii: " ") {
            position = 13
            while position < bytes.count, !bytes[position].isControlCharacter { position += 1 }
        }
        let phrase = UnsafeRawBufferPointer(rebasing: bytes[min(13, position)..<position])
        guard position + 1 < bytes.count, bytes[position] == 0x0D, bytes[position + 1] == 0x0A else { return nil }
        position += 2

        var framing = HTTP1ResponseFraming()
        let fields = ResponseFields(
            scanning: bytes,
            from: &position,
            maximumCount: HTTP1Limits.fields,
            reporting: HTTP1ResponseFraming.names
        ) { framing.take($0, $1) }
        guard let fields else { return nil }
        status = bytes[9..<12].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        minorVersion = bytes[7] - UInt8(ascii: "0")
        reasonPhrase = HTTP1ResponseParser.decodedReasonPhrase(phrase)
        self.fields = fields
        self.framing = framing
        length = position
    }
}
#endif
