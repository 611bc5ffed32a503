import Foundation

/// One part of a ``MultipartFormData``.
public struct MultipartFormBodyPart: Hashable, Sendable {
    /// The source of the content.
    public let provider: MultipartFormData.FormDataProvider
    /// The name of the form's field.
    public let name: String
    /// The file name that is sent.
    public let fileName: String?
    /// The content type that is sent.
    public let mimeType: String?

    /// Creates a part.
    ///
    /// - Parameters:
    ///   - provider: The source of the content.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name that is sent. For a ``MultipartFormData/FormDataProvider/file(_:)`` it is used
    ///     only together with `mimeType`; without both, both are taken from the file's URL.
    ///   - mimeType: The content type that is sent.
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
