import Moya

/// Find and change books.
public enum Books: TargetType, AccessTokenAuthorizable {
    /// List books.
    ///
    /// Returns the books in the order of their titles. A reader sees only the books of the reader's branch.
    ///
    /// The type of the response is `[Book]`.
    ///
    /// - Parameters:
    ///   - sortBy: The order of the books.
    ///   - perPage: The server's default is `30`.
    case list(
        sortBy: SortBy? = nil,
        filter: BookFilter? = nil,
        ids: CommaSeparated<Int>? = nil,
        perPage: Int? = nil,
        page: Int? = nil
    )

    /// Add a book.
    ///
    /// The type of the response is `CreateBookResult`.
    case create(body: NewBook)

    /// GET /books/{bookID}.
    ///
    /// The type of the response is `Book`.
    ///
    /// - Parameter bookID: The number of the book.
    case get(bookID: Int)

    /// Change a book.
    ///
    /// The type of the response is `Book`.
    ///
    /// - Parameter bookID: The number of the book.
    case update(bookID: Int, body: BookChange)

    /// DELETE /books/{bookID}.
    ///
    /// Deprecated.
    ///
    /// - Parameter bookID: The number of the book.
    case delete(bookID: Int)

    /// The URL of the server.
    public var baseURL: URL { URL(string: "https://library.example/v1")! }

    /// The path of each request.
    public var path: String {
        switch self {
        case .list, .create: "/books"
        case .get(let bookID), .update(let bookID, _), .delete(let bookID): "/books/\(bookID)"
        }
    }

    /// The method of each request.
    public var method: Moya.Method {
        switch self {
        case .list, .get: .get
        case .create: .post
        case .update: .patch
        case .delete: .delete
        }
    }

    /// The task of each request.
    public var task: HTTPTask {
        switch self {
        case .list(let sortBy, let filter, let ids, let perPage, let page):
            .requestParameters(
                parameters: ["sort_by": sortBy, "filter": filter, "ids": ids, "per_page": perPage, "page": page],
                encoding: URLEncoding(destination: .queryString, boolEncoding: .literal)
            )
        case .create(let body): .requestCustomJSONEncodable(body, encoder: .library)
        case .get, .delete: .requestPlain
        case .update(_, let body): .requestCustomJSONEncodable(body, encoder: .library)
        }
    }

    /// The headers of each request.
    public var headers: [String: String]? {
        switch self {
        case .list, .create, .get, .delete: nil
        case .update: ["Content-Type": "application/merge-patch+json"]
        }
    }

    /// The authorization of each request.
    public var authorizationType: AuthorizationType? { .bearer }

    /// The statuses that are accepted.
    public var validationType: ValidationType { .successCodes }
}
