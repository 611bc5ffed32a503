import Foundation

/// How far a request has come; the last one has the response.
public struct ProgressResponse: Sendable {
    /// The response, in the last call of a request that succeeded.
    public let response: Response?
    /// Bytes so far and in all, as Foundation counts them.
    public let progressObject: Progress?

    /// Makes one.
    public init(progress: Progress? = nil, response: Response? = nil) {
        progressObject = progress
        self.response = response
    }

    /// From 0 to 1: 1 once there is a response, 0 while the length is not known.
    public var progress: Double {
        if completed { return 1 }
        guard let progressObject, progressObject.totalUnitCount > 0 else { return 0 }
        return progressObject.fractionCompleted
    }

    /// Whether there is a response.
    public var completed: Bool { response != nil }

    /// How far it has come, as long as there is no response.
    package var progressUntilCompleted: Double? { completed ? nil : progress }
}
