import Foundation
import HTTPTypes

// The associated values stay complete for monitors; only their texts are masked.
extension RequestEvent.Kind: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A text for logs, with the secrets of URLs and header fields masked.
    public var description: String {
        switch self {
        case .queued(let request): "queued(\(request.maskedSummary))"
        case .waitingForPermit(let key, let position): "waitingForPermit(key: \(key), position: \(position))"
        case .waitingForRateLimit(let key, let position, let time):
            "waitingForRateLimit(key: \(key), position: \(position), atLeast: \(time))"
        case .rateLimited(let key, let pause): "rateLimited(key: \(key), for: \(pause))"
        case .circuitOpened(let key, let period): "circuitOpened(key: \(key), for: \(period))"
        case .circuitHalfOpened(let key, let time): "circuitHalfOpened(key: \(key), after: \(time))"
        case .circuitClosed(let key, let time): "circuitClosed(key: \(key), after: \(time))"
        case .hedging(let delay): "hedging(after: \(delay))"
        case .hedgingEnded(let winner): "hedgingEnded(winner: \(winner.map(String.init) ?? "nil"))"
        case .sending(let request): "sending(\(request.maskedSummary))"
        case .connected: "connected"
        case .phase(let event): "phase(\(event))"
        case .interim(let status, let headers): "interim(status: \(status), headers: \(headers.masked))"
        case .head(let status, let headers): "head(status: \(status), headers: \(headers.masked))"
        case .resending(let reason): "resending(because: \(reason))"
        case .cached(let source): "cached(\(source))"
        case .cacheMissed: "cacheMissed"
        case .redirecting(let url): "redirecting(to: \(url.maskedText))"
        case .authenticating(let scheme): "authenticating(scheme: \(scheme))"
        case .body(let bytes): "body(bytes: \(bytes))"
        case .retrying(let delay, let outcome): "retrying(after: \(delay), because: \(outcome))"
        case .fallingBack(let kind, let cause): "fallingBack(to: \(kind), because: \(cause))"
        case .finished(let status): "finished(status: \(status))"
        case .failed(let error): "failed(\(error.maskedText))"
        }
    }

    /// The ``description``.
    public var debugDescription: String { description }

    /// A mirror without the values, for `dump` and test failures.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension RequestAttempt.Outcome: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A text for logs, with the secrets of header fields and of the error's URLs masked.
    public var description: String {
        switch self {
        case .response(let status, let headers): "response(status: \(status), headers: \(headers.masked))"
        case .failure(let error): "failure(\(error.maskedText))"
        }
    }

    /// The ``description``.
    public var debugDescription: String { description }

    /// A mirror without the values, for `dump` and test failures.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Fallback.Kind: CustomStringConvertible {
    /// A text for logs, with the secrets of URLs masked.
    public var description: String {
        switch self {
        case .baseURL(let url): "baseURL(\(url.maskedText))"
        case .staleResponse: "staleResponse"
        case .sample: "sample"
        }
    }
}

extension Fallback.Cause: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A text for logs, with the secrets of URLs and of the error's URLs masked.
    public var description: String {
        switch self {
        case .failure(let error): "failure(\(error.maskedText))"
        case .status(let status): "status(\(status))"
        case .avoided(let url, let time): "avoided(\(url.maskedText), for: \(time))"
        }
    }

    /// The ``description``.
    public var debugDescription: String { description }

    /// A mirror without the values, for `dump` and test failures.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension URL {
    fileprivate var maskedText: String { SecretMask.standard.text(of: withoutCredentials) }
}

extension URLRequest {
    fileprivate var maskedSummary: String {
        "\(httpMethod ?? "GET") \(url.map(\.maskedText) ?? "")"
    }
}

extension HTTPFields {
    fileprivate var masked: [String] {
        map { "\($0.name.rawName): \(SecretMask.standard.value($0.value, ofHeader: $0.name.rawName))" }
    }
}

extension Error {
    fileprivate var maskedText: String { SecretMask.standard.maskingQueries(in: localizedDescription) }
}
