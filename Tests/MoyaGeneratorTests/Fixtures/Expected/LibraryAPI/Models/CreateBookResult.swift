import MoyaMacros

/// The result of a request by its status.
@StatusResult
enum CreateBookResult: Sendable {
    @Status(201) case created(Book)
    @Status(202) case accepted(CreateBookResponse)
}
