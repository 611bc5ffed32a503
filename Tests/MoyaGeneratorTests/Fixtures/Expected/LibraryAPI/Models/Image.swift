struct Image: Codable, Hashable, Sendable {
    var url: String
    /// The other members.
    var additionalProperties: [String: Int] = [:]

    fileprivate enum CodingKeys: String, CodingKey, CaseIterable {
        case url
    }
}

extension Image {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        url = try container.decode(String.self, forKey: .url)
        let names = CodingKeys.allCases.map(\.rawValue)
        additionalProperties = try AdditionalProperties.decode(from: decoder, besides: names)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(url, forKey: .url)
        try AdditionalProperties.encode(additionalProperties, to: encoder)
    }
}
