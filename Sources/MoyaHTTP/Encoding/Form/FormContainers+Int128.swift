// The default implementations for these types throw, and are preferred to the generic methods.

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension FormKeyedContainer {
    mutating func encode(_ value: Int128, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encode(_ value: UInt128, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try encodeOrNil(value, key) }
    mutating func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try encodeOrNil(value, key) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension FormUnkeyedContainer {
    mutating func encode(_ value: Int128) throws { try append(value) }
    mutating func encode(_ value: UInt128) throws { try append(value) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension FormSingleValueContainer {
    mutating func encode(_ value: Int128) throws { try setValue(value) }
    mutating func encode(_ value: UInt128) throws { try setValue(value) }
}
