import Moya

/// The result of a request by its status.
public enum CreateBookResult: Sendable {
    /// A response with 201.
    case created(Book)
    /// A response with 202.
    case accepted(CreateBookResponse)

    /// Creates the result of a response.
    public init(_ response: Response, using decoder: JSONDecoder = .library) throws {
        switch response.statusCode {
        case 201: self = .created(try response.output(Book.self, using: decoder))
        case 202: self = .accepted(try response.output(CreateBookResponse.self, using: decoder))
        default: throw MoyaError.statusCode(response)
        }
    }
}
