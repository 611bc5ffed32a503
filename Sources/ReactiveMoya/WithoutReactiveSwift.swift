// Without ReactiveSwift the module has nothing. Its names say what to do.
#if !ReactiveSwift
    import Moya

    /// What `reactive` is where there is none: the package trait `ReactiveSwift` is off.
    ///
    /// Turn it on with `.package(url: …, traits: [.defaults, "ReactiveSwift"])`.
    public struct TheTraitReactiveSwiftIsOff {}

    extension MoyaProvider {
        /// There is none without the package trait `ReactiveSwift`.
        @available(*, unavailable, message: "Add \"ReactiveSwift\" to the traits: of the package Moya; see the README.")
        public var reactive: TheTraitReactiveSwiftIsOff { TheTraitReactiveSwiftIsOff() }
    }
#endif
