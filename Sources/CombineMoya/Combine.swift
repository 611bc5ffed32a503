// Combine is exported, so that the same source compiles on every platform, and packages on Linux need no dependency on
// OpenCombine.
#if canImport(Combine)
    @_exported import Combine
    import Moya
#elseif OpenCombine
    import Moya
    @_exported import OpenCombineShim
#endif

#if canImport(Combine) || OpenCombine
    /// The handle that a request returns, where the name alone would be ambiguous with Combine's protocol.
    ///
    /// In a file that imports Combine itself, write `Moya.Cancellable`.
    public typealias Cancellable = Moya.Cancellable
#endif
