import Foundation

/// What a ``HARTransport`` does with requests.
public enum HARMode: String, CaseIterable, Sendable {
    /// Sends all requests, and records them anew: what the file had is replaced.
    case record
    /// Answers from the file, and sends nothing.
    case replay
    /// Answers from the file what is in it; sends and records the rest.
    case recordMissing
    /// Sends all requests, and leaves the file alone.
    case passthrough

    /// The variable of the environment that says which mode it is, where the code does not.
    public static let variable = "MOYA_HAR"

    /// The mode that the environment asks for, `replay` where it says nothing.
    ///
    /// - Throws: ``HARModeError`` for a value that is no mode.
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

/// A value of the environment that is no mode.
public struct HARModeError: Error, Equatable, Sendable, LocalizedError {
    /// The value.
    public let value: String

    /// What the variable may be.
    public var errorDescription: String? {
        let modes = HARMode.allCases.map(\.rawValue).joined(separator: ", ")
        return "\(HARMode.variable) is \(value.debugDescription), which is no mode: set it to one of \(modes)."
    }
}
