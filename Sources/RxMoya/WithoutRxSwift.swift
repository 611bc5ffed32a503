// Without RxSwift the module is empty. These declarations explain how to enable it.
#if !RxSwift
import Moya

/// The replacement for `rx` when the package trait `RxSwift` is off.
///
/// Turn it on with `.package(url: …, traits: [.defaults, "RxSwift"])`.
public struct TheTraitRxSwiftIsOff {}

extension MoyaProvider {
    /// Unavailable without the package trait `RxSwift`.
    @available(*, unavailable, message: "Add \"RxSwift\" to the traits: of the package Moya; see the README.")
    public var rx: TheTraitRxSwiftIsOff { TheTraitRxSwiftIsOff() }
}
#endif
