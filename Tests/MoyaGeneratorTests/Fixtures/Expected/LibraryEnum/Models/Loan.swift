/// One of the types of `loan`.
public enum Loan: Codable, Hashable, Sendable {
    /// A value of the type `BookLoan`.
    case bookLoan(BookLoan)
    /// A value of the type `RoomLoan`.
    case roomLoan(RoomLoan)
    /// A value that the document does not describe.
    case unknown(JSONValue)

    /// Decodes a value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch try decoder.text(of: "kind") {
        case "book": self = .bookLoan(try container.decode(BookLoan.self))
        case "room": self = .roomLoan(try container.decode(RoomLoan.self))
        default: self = .unknown(try container.decode(JSONValue.self))
        }
    }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .bookLoan(let value): try container.encode(value)
        case .roomLoan(let value): try container.encode(value)
        case .unknown(let value): try container.encode(value)
        }
    }
}
