enum StringOrContentList: Codable, Hashable, Sendable {
    case contentList([Content])
    case string(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode([Content].self) {
            self = .contentList(value)
        } else {
            self = .string(try container.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .contentList(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        }
    }
}
