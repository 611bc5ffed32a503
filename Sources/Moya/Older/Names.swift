// Types that have other names by now.

/// The name of ``MultiTarget`` until Moya 7.
@available(*, deprecated, renamed: "MultiTarget")
public typealias StructTarget = MultiTarget

/// Gone: a form is streamed as it is sent, so that its encoding has no result of its own.
@available(
    *,
    unavailable,
    message: "What is wrong with a form is the request's error: MoyaError.parameterEncoding(MultipartError)."
)
public enum MultipartFormDataEncodingResult {}

extension Cancellable {
    /// Now ``isCancelled``.
    @available(*, deprecated, renamed: "isCancelled")
    @_disfavoredOverload
    public var cancelled: Bool { isCancelled }

    /// Now ``isCancelled``.
    @available(*, deprecated, renamed: "isCancelled")
    @_disfavoredOverload
    public var canceled: Bool { isCancelled }
}
