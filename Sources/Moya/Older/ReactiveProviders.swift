// The providers that were types of their own until Moya 9. Bindings are members of every provider since.

/// Now ``MoyaProvider``.
@available(
    *,
    unavailable,
    message: "Write MoyaProvider; with the module RxMoya its requests are provider.rx.request(_:)."
)
public enum RxMoyaProvider<Target: TargetType> {}

/// Now ``MoyaProvider``.
@available(
    *,
    unavailable,
    message: "Write MoyaProvider; with the module ReactiveMoya its requests are provider.reactive.request(_:)."
)
public enum ReactiveSwiftMoyaProvider<Target: TargetType> {}

/// Now ``MoyaProvider``.
@available(
    *,
    unavailable,
    message: "Write MoyaProvider; with the module ReactiveMoya its requests are provider.reactive.request(_:)."
)
public enum ReactiveCocoaMoyaProvider<Target: TargetType> {}
