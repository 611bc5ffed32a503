import Foundation

// Names of Moya 14 and older, when MultipartFormData was one part of a form.
extension HTTPTask {
    /// A form of the parts of several.
    @available(
        *,
        deprecated,
        message: "Write .uploadMultipartFormData([…]) with a MultipartFormBodyPart for each part."
    )
    @_disfavoredOverload
    public static func uploadMultipart(_ parts: [MultipartFormData]) -> HTTPTask {
        .uploadMultipartFormData(MultipartFormData(joining: parts))
    }

    /// A form of the parts of several, and parameters in the URL's query.
    @available(
        *,
        deprecated,
        message:
            "Write .uploadCompositeMultipartFormData([…], urlParameters:) with a MultipartFormBodyPart for each part."
    )
    @_disfavoredOverload
    @preconcurrency
    public static func uploadCompositeMultipart(
        _ parts: [MultipartFormData],
        urlParameters: [String: any Sendable]
    ) -> HTTPTask {
        .uploadCompositeMultipartFormData(MultipartFormData(joining: parts), urlParameters: urlParameters)
    }
}

extension MultipartFormData {
    /// Makes a form of one part, which is what the name stood for.
    @available(*, deprecated, message: "Write MultipartFormBodyPart(provider:name:fileName:mimeType:).")
    public init(
        provider: FormDataProvider,
        name: String,
        fileName: String? = nil,
        mimeType: String? = nil
    ) {
        self.init(parts: [
            MultipartFormBodyPart(provider: provider, name: name, fileName: fileName, mimeType: mimeType)
        ])
    }

    fileprivate init(joining forms: [MultipartFormData]) {
        let boundaries = forms.compactMap(\.boundary)
        self.init(boundary: boundaries.first, parts: forms.flatMap(\.parts))
    }
}

// Names of Moya 9 and older, when parameters were a target's. A forward would leave them out.
extension HTTPTask {
    /// Gone: a task says what is sent.
    @available(
        *,
        unavailable,
        message: "Write .requestPlain, or .requestParameters(parameters:encoding:) with what `parameters` had."
    )
    public static var request: HTTPTask { .requestPlain }

    /// Gone: a task says what is sent.
    @available(
        *,
        unavailable,
        message: "Write .uploadFile(_:), .uploadMultipartFormData(_:) or .uploadCompositeMultipartFormData."
    )
    public static func upload(_ type: UploadType) -> HTTPTask { .requestPlain }

    /// Gone: a task says what is sent.
    @available(
        *,
        unavailable,
        message: "Write .downloadDestination(_:), or .downloadParameters(parameters:encoding:destination:)."
    )
    public static func download(_ type: DownloadType) -> HTTPTask { .requestPlain }
}

/// What a task uploaded.
@available(*, unavailable, message: "Write .uploadFile(_:) or .uploadMultipartFormData(_:).")
public enum UploadType: Sendable {
    /// Now ``HTTPTask/uploadFile(_:)``.
    case file(URL)
    /// Now ``HTTPTask/uploadMultipartFormData(_:)``.
    case multipart([MultipartFormData])
}

/// What a task downloaded.
@available(*, unavailable, message: "Write .downloadDestination(_:).")
public enum DownloadType: Sendable {
    /// Now ``HTTPTask/downloadDestination(_:)``.
    case request(DownloadDestination)
}
