import Moya

enum Assistant: TargetType, AccessTokenAuthorizable {
    /// Create a reply.
    ///
    /// Sends the parts of the reply as events, which end with `[DONE]`, if the media type is accepted.
    ///
    /// The type of the response is `Message`.
    case createChat(body: CreateChatBody)

    /// Create a reply, as a stream.
    ///
    /// Sends the parts of the reply as events, which end with `[DONE]`, if the media type is accepted.
    ///
    /// The response is a stream of events of the type `Chunk`.
    case createChatStream(body: CreateChatBody)

    /// POST /files.
    ///
    /// The type of the response is `UploadFileResponse`.
    case uploadFile(file: URL, purpose: Purpose, labels: [String]? = nil)

    /// GET /files/{id}/content.
    ///
    /// The response is data.
    case fileContent(id: String, session: String)

    /// POST /search.
    ///
    /// The response is a stream of lines of JSON of the type `Chunk`.
    case search(body: SearchForm)

    var baseURL: URL { URL(string: "https://eu.assistant.example/v2")! }

    var path: String {
        switch self {
        case .createChat, .createChatStream: "/chat"
        case .uploadFile: "/files"
        case .fileContent(let id, _): "/files/\(PathValue.escape(id))/content"
        case .search: "/search"
        }
    }

    var isPathEscaped: Bool { true }

    var method: Moya.Method {
        switch self {
        case .createChat, .createChatStream, .uploadFile, .search: .post
        case .fileContent: .get
        }
    }

    var task: HTTPTask {
        switch self {
        case .createChat(let body), .createChatStream(let body): .requestJSONEncodable(body)
        case .uploadFile(let file, let purpose, let labels):
            .uploadMultipart(
                FormParts()
                    .adding("file", file)
                    .adding("purpose", purpose)
                    .adding("labels", labels)
                    .parts
            )
        case .fileContent: .requestPlain
        case .search(let body): .requestFormEncodable(body, encoder: Self.formEncoder)
        }
    }

    private static let formEncoder = URLEncodedFormEncoder()

    var headers: [String: String]? {
        switch self {
        case .createChat: ["Accept": "application/json"]
        case .createChatStream: ["Accept": "text/event-stream"]
        case .uploadFile, .search: nil
        case .fileContent(_, let session): ["Cookie": "session=\(session)"]
        }
    }

    var authorizationType: AuthorizationType? {
        switch self {
        case .createChat, .createChatStream, .uploadFile, .fileContent: nil
        case .search: .bearer
        }
    }

    var validationType: ValidationType { .successCodes }
}
