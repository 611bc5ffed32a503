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
/// The handle that a request returns: Moya's `Cancellable`, and not Combine's protocol of the same name.
///
/// In a file that imports Combine itself, write `Moya.Cancellable`.
public typealias Cancellable = Moya.Cancellable
#endif
