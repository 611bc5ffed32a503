/// An event while a meal is cooked.
enum CookingEvent: Codable, Hashable, Sendable {
    case begin(Begin)
    case warning(Warning)
    /// A value that the document does not describe.
    case unknown(JSONValue)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if decoder.has("step"), let value = try? container.decode(Begin.self) {
            self = .begin(value)
        } else if decoder.has("warning"), let value = try? container.decode(Warning.self) {
            self = .warning(value)
        } else {
            self = .unknown(try container.decode(JSONValue.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .begin(let value): try container.encode(value)
        case .warning(let value): try container.encode(value)
        case .unknown(let value): try container.encode(value)
        }
    }

    /// A step begins.
    struct Begin: Codable, Hashable, Sendable {
        var step: Step
    }

    /// Something needs attention.
    struct Warning: Codable, Hashable, Sendable {
        var warning: String
    }
}
