// Without Combine and OpenCombine the module is empty. These declarations explain how to enable it.
#if !canImport(Combine) && !OpenCombine
import Foundation
import Moya

/// The replacement for publishers when the package trait `OpenCombine` is off.
///
/// The trait is on by default. If the package dependency lists `traits:`, enable it with
/// `.package(url: …, traits: ["OpenCombine"])`, or with `.defaults` among the traits.
public struct TheTraitOpenCombineIsOff {}

/// Unavailable without the package trait `OpenCombine`.
@available(*, unavailable, message: "Add \"OpenCombine\" to the traits: of the package Moya; see the README.")
public struct AnyPublisher<Output, Failure: Error> {}

/// Unavailable without the package trait `OpenCombine`.
@available(*, unavailable, message: "Add \"OpenCombine\" to the traits: of the package Moya; see the README.")
public struct AnyCancellable: Hashable {}

extension MoyaProvider {
    /// Unavailable without the package trait `OpenCombine`.
    @available(*, unavailable, message: "Add \"OpenCombine\" to the traits: of the package Moya; see the README.")
    public func requestPublisher(
        _ target: Target,
        callbackQueue: DispatchQueue? = nil
    ) -> TheTraitOpenCombineIsOff { TheTraitOpenCombineIsOff() }

    /// Unavailable without the package trait `OpenCombine`.
    @available(*, unavailable, message: "Add \"OpenCombine\" to the traits: of the package Moya; see the README.")
    public func requestOutputPublisher<Typed: TypedTargetType>(
        _ target: Typed,
        callbackQueue: DispatchQueue? = nil
    ) -> TheTraitOpenCombineIsOff { TheTraitOpenCombineIsOff() }

    /// Unavailable without the package trait `OpenCombine`.
    @available(*, unavailable, message: "Add \"OpenCombine\" to the traits: of the package Moya; see the README.")
    public func requestWithProgressPublisher(
        _ target: Target,
        callbackQueue: DispatchQueue? = nil
    ) -> TheTraitOpenCombineIsOff { TheTraitOpenCombineIsOff() }

    /// Unavailable without the package trait `OpenCombine`.
    @available(*, unavailable, message: "Add \"OpenCombine\" to the traits: of the package Moya; see the README.")
    public func webSocketPublisher(
        _ target: Target,
        options: WebSocketOptions = WebSocketOptions(),
        callbackQueue: DispatchQueue? = nil,
        onOpen: @escaping @Sendable (WebSocket) async throws -> Void = { _ in }
    ) -> TheTraitOpenCombineIsOff { TheTraitOpenCombineIsOff() }
}
#endif
