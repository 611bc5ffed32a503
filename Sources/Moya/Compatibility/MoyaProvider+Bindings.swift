import Foundation

// The modules RxMoya, ReactiveMoya and CombineMoya declare these members. With CocoaPods the module Moya had them, so the
// declarations here produce a diagnostic where the other module is not imported. They are members of the protocol, so that the
// compiler prefers the members of the other modules.

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
/// The compiler's error names this type if code uses another member of `rx`: write `import RxMoya`.
public struct RxMoyaIsNotImported<Target> {
    /// Unavailable without the module RxMoya.
    public func request(_ token: Target, callbackQueue: DispatchQueue? = nil) -> Self { self }

    /// Unavailable without the module RxMoya.
    public func requestWithProgress(_ token: Target, callbackQueue: DispatchQueue? = nil) -> Self { self }
}

/// The replacement for `reactive` where ReactiveMoya is not imported.
///
/// The compiler's error names this type if code uses another member of `reactive`: write `import ReactiveMoya`.
public struct ReactiveMoyaIsNotImported<Target> {
    /// Unavailable without the module ReactiveMoya.
    public func request(_ token: Target, callbackQueue: DispatchQueue? = nil) -> Self { self }

    /// Unavailable without the module ReactiveMoya.
    public func requestWithProgress(_ token: Target, callbackQueue: DispatchQueue? = nil) -> Self { self }
}

/// The replacement for a publisher where CombineMoya is not imported.
///
/// The compiler's error names this type if code uses a member of the publisher: write `import CombineMoya`.
public struct CombineMoyaIsNotImported {}
