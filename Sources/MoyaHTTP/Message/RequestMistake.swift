/// Where in an application the mistake is that an error tells of. Who makes the request knows it, who finds the mistake does
/// not.
package struct ErrorOrigin: Sendable {
    private let target: String
    private let place: String

    /// - Parameters:
    ///   - target: What was asked for, as in `GitHub.zen`.
    ///   - place: What is to be changed, as in `` `headers` ``.
    package init(target: String, place: String) {
        self.target = target
        self.place = place
    }

    fileprivate var text: String { "\(target): \(place): " }
}

/// An error about a mistake in a request, whose text can say where in an application the mistake is.
///
/// The origin is for people: it is no part of what errors are compared by.
package protocol RequestMistake: Error {
    /// `nil` where nobody has told.
    var origin: ErrorOrigin? { get set }
    /// What of a target is to be changed, as in `` `path` ``, where the mistake itself says it.
    var place: String? { get }
}

extension RequestMistake {
    package var place: String? { nil }

    /// The text, after the origin.
    package func text(_ sentence: String) -> String { (origin?.text ?? "") + sentence }
}
