import Foundation

// Names of Moya 14 and older, when MultipartFormData was one part of a form.
extension HTTPTask {
    /// Uploads one form with the parts of several.
    @available(
        *,
        deprecated,
        message: "Write .uploadMultipartFormData([…]) with a MultipartFormBodyPart for each part."
    )
    @_disfavoredOverload
    public static func uploadMultipart(_ parts: [MultipartFormData]) -> HTTPTask {
        .uploadMultipartFormData(MultipartFormData(joining: parts))
    }

    /// Uploads one form with the parts of several, with parameters in the URL's query.
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
    /// Creates a form with one part, which is what the type was.
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

// Names of Moya 9 and older, when parameters belonged to the target. Forwarding these would drop the parameters.
extension HTTPTask {
    /// Unavailable: a task describes what is sent.
    @available(
        *,
        unavailable,
        message: "Write .requestPlain, or .requestParameters(parameters:encoding:) with what `parameters` had."
    )
    public static var request: HTTPTask { .requestPlain }

    /// Unavailable: a task describes what is sent.
    @available(
        *,
        unavailable,
        message: "Write .uploadFile(_:), .uploadMultipartFormData(_:) or .uploadCompositeMultipartFormData."
    )
    public static func upload(_ type: UploadType) -> HTTPTask { .requestPlain }

    /// Unavailable: a task describes what is sent.
    @available(
        *,
        unavailable,
        message: "Write .downloadDestination(_:), or .downloadParameters(parameters:encoding:destination:)."
    )
    public static func download(_ type: DownloadType) -> HTTPTask { .requestPlain }
}

/// The content of an upload.
@available(*, unavailable, message: "Write .uploadFile(_:) or .uploadMultipartFormData(_:).")
public enum UploadType: Sendable {
    /// Now ``HTTPTask/uploadFile(_:)``.
    case file(URL)
    /// Now ``HTTPTask/uploadMultipartFormData(_:)``.
    case multipart([MultipartFormData])
}

/// The destination of a download.
@available(*, unavailable, message: "Write .downloadDestination(_:).")
public enum DownloadType: Sendable {
    /// Now ``HTTPTask/downloadDestination(_:)``.
    case request(DownloadDestination)
}

// Names of Moya 9 and older, when parameters belonged to the target, and of Moya 11 and older, when validation was a
// Boolean.
//
// They produce a diagnostic only when read from a target that does not declare the name. Their type is Void so that
// they never satisfy a requirement of another protocol.
extension TargetType {
    /// Unavailable: parameters belong to ``task``.
    @available(
        *,
        unavailable,
        message: "Parameters are part of the task: return .requestParameters(parameters:encoding:) from it."
    )
    public var parameters: Void { () }

    /// Unavailable: an encoding belongs to ``task``.
    @available(
        *,
        unavailable,
        message: "The encoding is part of the task: return .requestParameters(parameters:encoding:) from it."
    )
    public var parameterEncoding: Void { () }

    /// Unavailable: replaced by ``validationType``.
    @available(*, unavailable, message: "Read validationType: .successCodes is what true was.")
    public var validate: Void { () }
}
