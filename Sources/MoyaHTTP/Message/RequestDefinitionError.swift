/// The place in an application that causes an error.
///
/// It is known where a request is created, but not where the error is detected.
package struct ErrorOrigin: Sendable {
    private let target: String
    private let place: String

    /// Creates an origin for a target such as `GitHub.zen`, and the place in it to change, such as `` `headers` ``.
    package init(target: String, place: String) {
        self.target = target
        self.place = place
    }

    fileprivate var text: String { "\(target): \(place): " }
}

/// An error about an invalid request, whose text can include its place in the application.
///
/// The origin is for descriptions only and is ignored when errors are compared.
package protocol RequestDefinitionError: Error {
    /// The place in the application, if known.
    var origin: ErrorOrigin? { get set }
    /// The part of a target to change, such as `` `path` ``, if the error determines it.
    var place: String? { get }
}

extension RequestDefinitionError {
    package var place: String? { nil }

    /// Returns the text with the origin as its prefix.
    package func text(_ sentence: String) -> String { (origin?.text ?? "") + sentence }
}
