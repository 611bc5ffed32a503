// Providers that were separate types in Moya 9 and older. The bindings are now members of every provider.

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
