import Foundation

// The members of the modules RxMoya, ReactiveMoya and CombineMoya, for the diagnostic where the module is not imported. With
// CocoaPods they were in the module Moya. They are members of the protocol, so that the members of the modules are preferred.

extension MoyaProviderType {
    /// Unavailable without the module RxMoya.
    @available(
        *,
        unavailable,
        message: "Write `import RxMoya`, and add \"RxSwift\" to the traits: of the package Moya."
    )
    public var rx: RxMoyaIsNotImported<Target> { RxMoyaIsNotImported() }

    /// Unavailable without the module ReactiveMoya.
    @available(
        *,
        unavailable,
        message: "Write `import ReactiveMoya`, and add \"ReactiveSwift\" to the traits: of the package Moya."
    )
    public var reactive: ReactiveMoyaIsNotImported<Target> { ReactiveMoyaIsNotImported() }

    /// Unavailable without the module CombineMoya.
    @available(*, unavailable, message: "Write `import CombineMoya`, a product of the package Moya.")
    public func requestPublisher(
        _ target: Target,
        callbackQueue: DispatchQueue? = nil
    ) -> CombineMoyaIsNotImported { CombineMoyaIsNotImported() }

    /// Unavailable without the module CombineMoya.
    @available(*, unavailable, message: "Write `import CombineMoya`, a product of the package Moya.")
    public func requestWithProgressPublisher(
        _ target: Target,
        callbackQueue: DispatchQueue? = nil
    ) -> CombineMoyaIsNotImported { CombineMoyaIsNotImported() }
}

/// The replacement for `rx` where RxMoya is not imported.
///
/// The compiler names it where a member follows: write `import RxMoya`.
public struct RxMoyaIsNotImported<Target> {
    /// Unavailable without the module RxMoya.
    public func request(_ token: Target, callbackQueue: DispatchQueue? = nil) -> Self { self }

    /// Unavailable without the module RxMoya.
    public func requestWithProgress(_ token: Target, callbackQueue: DispatchQueue? = nil) -> Self { self }
}

/// The replacement for `reactive` where ReactiveMoya is not imported.
///
/// The compiler names it where a member follows: write `import ReactiveMoya`.
public struct ReactiveMoyaIsNotImported<Target> {
    /// Unavailable without the module ReactiveMoya.
    public func request(_ token: Target, callbackQueue: DispatchQueue? = nil) -> Self { self }

    /// Unavailable without the module ReactiveMoya.
    public func requestWithProgress(_ token: Target, callbackQueue: DispatchQueue? = nil) -> Self { self }
}

/// The replacement for a publisher where CombineMoya is not imported.
///
/// The compiler names it where a member follows: write `import CombineMoya`.
public struct CombineMoyaIsNotImported {}
