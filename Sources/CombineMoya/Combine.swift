// Whoever imports this module has Combine's names as well: the same source is right on every platform, and on Linux no
// package has to name OpenCombine.
#if canImport(Combine)
    @_exported import Combine
    import Moya
#elseif OpenCombine
    import Moya
    @_exported import OpenCombineShim
#endif

#if canImport(Combine) || OpenCombine
    /// Moya's protocol, where the name alone would be Combine's as well: what a request returns.
    ///
    /// In a file that imports Combine itself, write `Moya.Cancellable`.
    public typealias Cancellable = Moya.Cancellable
#endif
