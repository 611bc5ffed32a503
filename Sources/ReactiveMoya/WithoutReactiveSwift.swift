// Without ReactiveSwift the module is empty. These declarations explain how to enable it.
#if !ReactiveSwift
import Moya

/// The replacement for `reactive` when the package trait `ReactiveSwift` is off.
///
/// Turn it on with `.package(url: …, traits: [.defaults, "ReactiveSwift"])`.
public struct TheTraitReactiveSwiftIsOff {}

extension MoyaProvider {
    /// Unavailable without the package trait `ReactiveSwift`.
    @available(*, unavailable, message: "Add \"ReactiveSwift\" to the traits: of the package Moya; see the README.")
    public var reactive: TheTraitReactiveSwiftIsOff { TheTraitReactiveSwiftIsOff() }
}
#endif
