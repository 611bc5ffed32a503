// There is neither Combine nor OpenCombine, so the module has nothing. Its names say what to do.
#if !canImport(Combine) && !OpenCombine
    import Foundation
    import Moya

    /// What publishers are where there are none: the package trait `OpenCombine` is off.
    ///
    /// The trait is on unless the package is depended on with `traits:` that leave it out. Turn it on with
    /// `.package(url: …, traits: ["OpenCombine"])`, or with `.defaults` among the traits.
    public struct TheTraitOpenCombineIsOff {}

    /// There is none without the package trait `OpenCombine`.
    @available(*, unavailable, message: "Add \"OpenCombine\" to the traits: of the package Moya; see the README.")
    public struct AnyPublisher<Output, Failure: Error> {}

    /// There is none without the package trait `OpenCombine`.
    @available(*, unavailable, message: "Add \"OpenCombine\" to the traits: of the package Moya; see the README.")
    public struct AnyCancellable: Hashable {}

    extension MoyaProvider {
        /// There is none without the package trait `OpenCombine`.
        @available(*, unavailable, message: "Add \"OpenCombine\" to the traits: of the package Moya; see the README.")
        public func requestPublisher(
            _ target: Target,
            callbackQueue: DispatchQueue? = nil
        ) -> TheTraitOpenCombineIsOff { TheTraitOpenCombineIsOff() }

        /// There is none without the package trait `OpenCombine`.
        @available(*, unavailable, message: "Add \"OpenCombine\" to the traits: of the package Moya; see the README.")
        public func requestAnswerPublisher<Typed: TypedTargetType>(
            _ target: Typed,
            callbackQueue: DispatchQueue? = nil
        ) -> TheTraitOpenCombineIsOff { TheTraitOpenCombineIsOff() }

        /// There is none without the package trait `OpenCombine`.
        @available(*, unavailable, message: "Add \"OpenCombine\" to the traits: of the package Moya; see the README.")
        public func requestWithProgressPublisher(
            _ target: Target,
            callbackQueue: DispatchQueue? = nil
        ) -> TheTraitOpenCombineIsOff { TheTraitOpenCombineIsOff() }
    }
#endif
