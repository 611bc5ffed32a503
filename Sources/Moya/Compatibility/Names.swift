// Types that were renamed.

/// The name of ``MultiTarget`` before Moya 8.
@available(*, deprecated, renamed: "MultiTarget")
public typealias StructTarget = MultiTarget

/// Unavailable: a form is encoded while it is streamed, so encoding has no separate result.
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
