/// The response to "upload file".
struct UploadFileResponse: Codable, Hashable, Sendable {
    var id: String
}
