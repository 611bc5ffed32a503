/// The response to "upload file".
public struct UploadFileResponse: Codable, Hashable, Sendable {
    /// The value of `id`.
    public var id: String

    /// Creates a value.
    public init(id: String) {
        self.id = id
    }
}
