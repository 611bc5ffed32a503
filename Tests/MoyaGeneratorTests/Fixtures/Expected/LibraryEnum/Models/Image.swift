/// An image.
public struct Image: Codable, Hashable, Sendable {
    /// The value of `url`.
    public var url: String
    /// The other members.
    public var additionalProperties: [String: Int] = [:]

    /// Creates a value.
    public init(url: String, additionalProperties: [String: Int] = [:]) {
        self.url = url
        self.additionalProperties = additionalProperties
    }

    fileprivate enum CodingKeys: String, CodingKey, CaseIterable {
        case url
    }
}

extension Image {
    /// Decodes a value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        url = try container.decode(String.self, forKey: .url)
        let names = CodingKeys.allCases.map(\.rawValue)
        additionalProperties = try AdditionalProperties.decode(from: decoder, besides: names)
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(url, forKey: .url)
        try AdditionalProperties.encode(additionalProperties, to: encoder)
    }
}
