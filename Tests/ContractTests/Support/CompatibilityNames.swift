/// A test of deprecated names: in a function that is deprecated itself they give no warning.
///
///     struct Spelling: CompatibilityNames {
///         @available(*, deprecated)
///         func check() { … }
///     }
protocol CompatibilityNames {
    func check() throws
}

/// Runs a test of deprecated names.
func check(_ names: CompatibilityNames) throws { try names.check() }
