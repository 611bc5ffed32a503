// Mappings of add-ons from before Moya had its own.
extension Response {
    /// Now ``map(_:atKeyPath:using:failsOnEmptyData:)``.
    @available(*, unavailable, message: "Let the type be Decodable and write map(_:).")
    public func mapObject<Value>(_ type: Value.Type) throws -> Value { throw MoyaError.jsonMapping(self) }

    /// Now ``map(_:atKeyPath:using:failsOnEmptyData:)``.
    @available(*, unavailable, message: "Let the type be Decodable and write map([Element].self).")
    public func mapArray<Element>(_ type: Element.Type) throws -> [Element] { throw MoyaError.jsonMapping(self) }
}
