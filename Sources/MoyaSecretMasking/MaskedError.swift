import Foundation

/// An error whose descriptions are its localized text with secrets masked.
///
/// `print`, `"\(error)"`, `String(reflecting:)`, `dump`, the metadata of a log and a failed test show the text instead of the
/// error's values, which may contain headers, bodies, and a URL with a token in its query. All errors of the library conform. An
/// application's error with such values can conform by providing `errorDescription`.
public protocol MaskedError: LocalizedError, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension MaskedError {
    /// The text of `errorDescription`, with the secrets of all URLs masked; the name of the type if there is no text.
    public var description: String {
        SecretMask.standard.maskingQueries(in: errorDescription ?? String(reflecting: Self.self))
    }

    /// Returns a text with the secrets of all URLs masked, for an `errorDescription` that other descriptions may quote.
    package func masked(_ text: String) -> String { SecretMask.standard.maskingQueries(in: text) }

    /// The ``description``, followed by the name of the type.
    public var debugDescription: String { "\(description) (\(String(reflecting: Self.self)))" }

    /// A mirror without the error's values, for `dump` and test failures.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
