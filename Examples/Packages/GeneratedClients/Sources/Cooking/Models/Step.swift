/// One step of a recipe.
enum Step: Codable, Hashable, Sendable {
    case mix(Mix)
    case heat(Heat)
    case rest(Rest)
    /// A value that the document does not describe.
    case unknown(JSONValue)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch try decoder.text(of: "kind") {
        case "mix": self = .mix(try container.decode(Mix.self))
        case "heat": self = .heat(try container.decode(Heat.self))
        case "rest": self = .rest(try container.decode(Rest.self))
        default: self = .unknown(try container.decode(JSONValue.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .mix(let value): try container.encode(value)
        case .heat(let value): try container.encode(value)
        case .rest(let value): try container.encode(value)
        case .unknown(let value): try container.encode(value)
        }
    }
}
