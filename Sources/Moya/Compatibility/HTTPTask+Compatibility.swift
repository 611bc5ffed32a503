import Foundation

// Names of Moya 9 and earlier, in which parameters belonged to the target. They are unavailable, because a task that replaced
// them would drop the parameters.
extension HTTPTask {
    /// Unavailable: a task describes the content of the request.
    @available(
        *,
        unavailable,
        message: "Write .requestPlain, or .requestParameters(parameters:encoding:) with the value of `parameters`."
    )
    public static var request: HTTPTask { .requestPlain }

    /// Unavailable: a task describes the content of the request.
    @available(
        *,
        unavailable,
        message: "Write .uploadFile(_:), .uploadMultipart(_:) or .uploadCompositeMultipart(_:urlParameters:)."
    )
    public static func upload(_ type: UploadType) -> HTTPTask { .requestPlain }

    /// Unavailable: a task describes the content of the request.
    @available(
        *,
        unavailable,
        message: "Write .downloadDestination(_:), or .downloadParameters(parameters:encoding:destination:)."
    )
    public static func download(_ type: DownloadType) -> HTTPTask { .requestPlain }

    // The types are nested, because names of the module would hide names of an application's protocols.

    /// The content of an upload.
    @available(*, unavailable, message: "Write .uploadFile(_:) or .uploadMultipart(_:).")
    public enum UploadType: Sendable {
        /// Replaced by ``HTTPTask/uploadFile(_:)``.
        case file(URL)
        /// Replaced by ``HTTPTask/uploadMultipart(_:)``.
        case multipart([MultipartFormData])
    }

    /// The destination of a download.
    @available(*, unavailable, message: "Write .downloadDestination(_:).")
    public enum DownloadType: Sendable {
        /// Replaced by ``HTTPTask/downloadDestination(_:)``.
        case request(DownloadDestination)
    }
}

// Names of Moya 9 and earlier, in which parameters belonged to the target, and of Moya 11 and earlier, in which validation was a
// Boolean.
//
// They produce a diagnostic only if they are read from a target that does not declare the name. Their type is Void, so that they
// never satisfy a requirement of another protocol.
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
    @available(*, unavailable, message: "Read validationType: .successCodes replaces true.")
    public var validate: Void { () }
}
