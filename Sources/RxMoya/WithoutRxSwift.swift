// Without RxSwift the module has nothing. Its names say what to do.
#if !RxSwift
    import Moya

    /// What `rx` is where there is none: the package trait `RxSwift` is off.
    ///
    /// Turn it on with `.package(url: …, traits: [.defaults, "RxSwift"])`.
    public struct TheTraitRxSwiftIsOff {}

    extension MoyaProvider {
        /// There is none without the package trait `RxSwift`.
        @available(*, unavailable, message: "Add \"RxSwift\" to the traits: of the package Moya; see the README.")
        public var rx: TheTraitRxSwiftIsOff { TheTraitRxSwiftIsOff() }
    }
#endif
