import MoyaMacros

/// Find and change books.
@API("https://library.example/v1", keys: .snakeCase, encoder: .library, decoder: JSONDecoder.library)
@URLStyle(boolEncoding: .literal)
@Bearer
@ErrorBody(Problem.self)
protocol Books: Sendable {
    /// List books.
    ///
    /// Returns the books in the order of their titles. A reader sees only the books of the reader's branch.
    ///
    /// - Parameters:
    ///   - sortBy: The order of the books.
    ///   - perPage: The server's default is `30`.
    @GET("/books") @Paged(.link)
    func books(
        sortBy: SortBy?,
        filter: Filter?,
        ids: CommaSeparated<Int>?,
        perPage: Int?
    ) async throws -> PagedSequence<Book>

    /// Add a book.
    @POST("/books") @ByStatus @ErrorBody(ValidationProblem.self, for: 422)
    func create(body: Body<NewBook>) async throws -> CreateBookResult

    /// - Parameter bookID: The number of the book.
    @GET("/books/{bookID}")
    func get(bookID: Int) async throws -> Book

    /// Change a book.
    ///
    /// - Parameter bookID: The number of the book.
    @PATCH("/books/{bookID}") @Headers(["Content-Type": "application/merge-patch+json"])
    func update(bookID: Int, body: Body<BookChange>) async throws -> Book

    /// Deprecated.
    ///
    /// - Parameter bookID: The number of the book.
    @DELETE("/books/{bookID}")
    func delete(bookID: Int) async throws
}
