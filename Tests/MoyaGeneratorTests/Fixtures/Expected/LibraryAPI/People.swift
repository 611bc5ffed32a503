import MoyaMacros

@API("https://library.example/v1", keys: .snakeCase, encoder: .library, decoder: JSONDecoder.library)
protocol People: Sendable {
    @GET("/readers/{readerID}/loans") @Names(["requestID": "X-Request-ID"])
    func readerLoans(
        readerID: UUID,
        since: CalendarDate?,
        requestID: Header<String?>
    ) async throws -> ReaderLoansResponse
}
