import Foundation

/// One part of a ``MultipartFormData``.
public struct MultipartFormBodyPart: Hashable, Sendable {
    /// Where the content comes from.
    public let provider: MultipartFormData.FormDataProvider
    /// The part's name: that of a form's field.
    public let name: String
    /// The file name that the server is told.
    public let fileName: String?
    /// The content type that the server is told.
    public let mimeType: String?

    /// Makes a part.
    ///
    /// - Parameters:
    ///   - provider: Where the content comes from.
    ///   - name: The part's name.
    ///   - fileName: The file name that the server is told. For a ``MultipartFormData/FormDataProvider/file(_:)`` it
    ///     counts only together with `mimeType`; without both, both are taken from the file's URL.
    ///   - mimeType: The content type that the server is told.
    public init(
        provider: MultipartFormData.FormDataProvider,
        name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) {
        self.provider = provider
        self.name = name
        self.fileName = fileName
        self.mimeType = mimeType
    }
}
