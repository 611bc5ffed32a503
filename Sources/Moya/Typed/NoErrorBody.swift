/// The error body of a target that has none: no body decodes as one.
public enum NoErrorBody: Decodable, Error {
    /// Makes none.
    ///
    /// - Throws: `DecodingError`, always.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "The target has no ErrorBody.")
        )
    }
}
