/// The default error body of a target, which cannot be decoded.
public enum NoErrorBody: Decodable, Error {
    /// Always throws.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "The target has no ErrorBody.")
        )
    }
}
