// Without swift-syntax the module is empty. This declaration explains how to enable it.
#if !Macros
/// A declaration that exists only if the package trait `Macros` is off; `@API` is unavailable then.
///
/// Turn the trait on with `.package(url: …, traits: [.defaults, "Macros"])`.
public enum TheTraitMacrosIsOff {}
#endif
