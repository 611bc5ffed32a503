/// A test of deprecated names: uses within a deprecated function cause no warning.
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
