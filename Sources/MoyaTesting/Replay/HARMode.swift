import Foundation
import Moya

/// The way in which a ``HARTransport`` handles requests.
public enum HARMode: String, CaseIterable, Sendable {
    /// Sends and records all requests; the recording replaces the file.
    case record
    /// Responds from the file, and sends nothing.
    case replay
    /// Responds from the file if it has a matching entry; sends and records other requests.
    case recordMissing
    /// Sends all requests, and does not use the file.
    case passthrough

    /// The environment variable that sets the mode if the code does not.
    public static let variable = "MOYA_HAR"

    /// Creates the mode from the environment variable ``variable``; `replay` if it is not set.
    ///
    /// - Parameter environment: The environment.
    /// - Throws: ``HARModeError`` for an unknown value.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) throws(HARModeError) {
        guard let value = environment[Self.variable], !value.isEmpty else {
            self = .replay
            return
        }
        guard let mode = Self.allCases.first(where: { $0.rawValue.lowercased() == value.lowercased() }) else {
            throw HARModeError(value: value)
        }
        self = mode
    }
}

/// The error for an invalid value of the environment variable.
public struct HARModeError: Error, Equatable, Sendable, MaskedError {
    /// The invalid value of the environment variable.
    public let value: String

    /// The invalid value and the allowed ones.
    public var errorDescription: String? { masked(sentence) }

    private var sentence: String {
        let modes = HARMode.allCases.map(\.rawValue).joined(separator: ", ")
        return "\(HARMode.variable) is \(value.debugDescription), which is not a mode: set it to one of \(modes)."
    }
}
