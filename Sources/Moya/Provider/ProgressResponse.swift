import Foundation

/// The progress of a request; the last value of a request that succeeds has the response.
public struct ProgressResponse: Sendable {
    /// The response, in the last value of a request that succeeded.
    public let response: Response?
    /// The number of bytes transferred and expected, as Foundation's `Progress`.
    public let progressObject: Progress?

    /// Creates a value.
    public init(progress: Progress? = nil, response: Response? = nil) {
        progressObject = progress
        self.response = response
    }

    /// The completed fraction, from 0 to 1: 1 if there is a response, 0 while the length is not known.
    public var progress: Double {
        if completed { return 1 }
        guard let progressObject, progressObject.totalUnitCount > 0 else { return 0 }
        return progressObject.fractionCompleted
    }

    /// Whether there is a response.
    public var completed: Bool { response != nil }

    /// The completed fraction; `nil` if there is a response.
    package var progressUntilCompleted: Double? { completed ? nil : progress }
}
