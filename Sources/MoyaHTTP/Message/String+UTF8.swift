extension String {
    /// Decodes UTF-8; `nil` if the bytes are invalid.
    ///
    /// Unlike `String(data:encoding:)` it keeps a byte order mark. `String(validating:as:)` is equivalent, but
    /// requires macOS 15 or iOS 18.
    package init?(validUTF8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        // Invalid bytes have been replaced by U+FFFD.
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
