/// A test of deprecated names: in a function that is deprecated itself they give no warning.
///
///     struct Spelling: OlderNames {
///         @available(*, deprecated)
///         func check() { … }
///     }
protocol OlderNames {
    func check() throws
}

/// Runs a test of deprecated names.
func check(_ names: OlderNames) throws { try names.check() }
