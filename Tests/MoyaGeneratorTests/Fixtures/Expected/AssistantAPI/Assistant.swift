import MoyaMacros

@API("https://eu.assistant.example/v2")
@URLStyle(arrayEncoding: .noBrackets)
public protocol Assistant: Sendable {
    /// Create a reply.
    ///
    /// Sends the parts of the reply as events, which end with `[DONE]`, if the media type is accepted.
    @POST("/chat") @Headers(["Accept": "application/json"])
    func createChat(body: Body<CreateChatBody>) async throws -> Message

    /// Create a reply, as a stream.
    ///
    /// Sends the parts of the reply as events, which end with `[DONE]`, if the media type is accepted.
    @POST("/chat") @Stream(until: "[DONE]")
    func createChatStream(body: Body<CreateChatBody>) async throws -> DecodedEvents<Chunk>

    @POST("/files") @Multipart
    func uploadFile(file: URL, purpose: Purpose, labels: [String]?) async throws -> UploadFileResponse

    @GET("/files/{id}/content") @Headers(["Cookie": "session={session}"])
    func fileContent(id: String, session: String) async throws -> Data

    @POST("/search") @FormURLEncoded @Stream @Bearer
    func search(body: FieldMap<SearchForm>) async throws -> DecodedLines<Chunk>
}
