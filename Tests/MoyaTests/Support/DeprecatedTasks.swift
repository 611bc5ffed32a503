import Moya

/// The cases whose names are deprecated, reached without the names.
private protocol DeprecatedCases {
    static func multipart(_ parts: [MultipartFormBodyPart]) -> HTTPTask
    static func compositeMultipart(_ parts: [MultipartFormBodyPart], _ parameters: [String: any Sendable]) -> HTTPTask
}

extension HTTPTask: DeprecatedCases {
    @available(*, deprecated)
    static func multipart(_ parts: [MultipartFormBodyPart]) -> HTTPTask { .uploadMultipart(parts) }

    @available(*, deprecated)
    static func compositeMultipart(
        _ parts: [MultipartFormBodyPart],
        _ parameters: [String: any Sendable]
    ) -> HTTPTask {
        .uploadCompositeMultipart(parts, urlParameters: parameters)
    }

    /// `.uploadMultipart`.
    static func oldMultipart(_ parts: [MultipartFormBodyPart]) -> HTTPTask {
        (HTTPTask.self as any DeprecatedCases.Type).multipart(parts)
    }

    /// `.uploadCompositeMultipart`.
    static func oldCompositeMultipart(
        _ parts: [MultipartFormBodyPart],
        _ parameters: [String: any Sendable]
    ) -> HTTPTask {
        (HTTPTask.self as any DeprecatedCases.Type).compositeMultipart(parts, parameters)
    }
}
