/// A test of deprecated names, which are used within a deprecated function because uses there cause no warning.
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
