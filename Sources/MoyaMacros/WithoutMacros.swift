// Without swift-syntax the module has nothing. Its one name says what to do.
#if !Macros
    /// The package trait `Macros` is off, so that there is no `@API`.
    ///
    /// Turn it on with `.package(url: …, traits: [.defaults, "Macros"])`.
    public enum TheTraitMacrosIsOff {}
#endif
