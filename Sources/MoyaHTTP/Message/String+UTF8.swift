extension String {
    /// Decodes bytes; `nil` if they are not UTF-8.
    ///
    /// Unlike `String(data:encoding:)` it keeps a byte order mark. `String(validating:as:)` does the same from macOS 15 and
    /// iOS 18 on.
    package init?(validUTF8 bytes: some Collection<UInt8>) {
        self.init(decoding: bytes, as: UTF8.self)
        // What is not valid is another character now.
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
