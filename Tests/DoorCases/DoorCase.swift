import Foundation
import Moya
import MoyaHTTP
import TestServers

/// A rule that every entry point must follow.
///
/// Each case gives what happened and what must have, as texts to be compared.
package enum DoorCase: String, CaseIterable, Sendable, CustomStringConvertible {
    case success, decoded, mappingFailure, badStatus, badStatusWithValidation, transportFailure
    case cancelBefore, cancelDuring, cancelInBody, cancelAfter
    case progress, progressOfStub, progressOfFailure
    case immediateStub, delayedStub, failingStub
    case queueGiven, queueOfProvider, queueNotGiven
    case answer, answerMappingFailure, answerRefused, answerOfStub, answerCancelled, answerOnQueue

    package var description: String { rawValue }

    /// What happened and what should have.
    package struct Outcome: Sendable {
        package var happened: [String]
        package var expected: [String]
    }

    /// Runs the case.
    package func run(through door: Door) async throws -> Outcome {
        switch self {
        case .success, .decoded, .mappingFailure, .badStatus, .badStatusWithValidation, .transportFailure, .answer,
            .answerMappingFailure, .answerRefused:
            try await runLive(through: door)
        case .cancelBefore: await runCancelBefore(through: door)
        case .cancelDuring, .cancelInBody, .answerCancelled: try await runCancelDuring(through: door)
        case .cancelAfter: try await runCancelAfter(through: door)
        case .progress, .progressOfStub, .progressOfFailure: try await runProgress(through: door)
        case .immediateStub, .delayedStub, .failingStub, .answerOfStub: await runStub(through: door)
        case .queueGiven, .queueOfProvider, .queueNotGiven, .answerOnQueue: try await runQueue(through: door)
        }
    }
}

/// Collects the events of an entry point until the last one.
package final class Listener: Sendable {
    private let heard = Recorder<Door.Event>()
    private let places = Recorder<Bool>()
    private let last = OneShot<Void>()
    private let isRightPlace: @Sendable () -> Bool

    package init(isRightPlace: @escaping @Sendable () -> Bool = { true }) { self.isRightPlace = isRightPlace }

    package func hear(_ event: Door.Event) {
        heard.add(event)
        places.add(isRightPlace())
        if event.isLast { last.fulfil(()) }
    }

    /// What has been heard.
    package var events: [Door.Event] { heard.values }

    /// Whether all was heard in the right place.
    package var wasInPlace: Bool { places.values.allSatisfy { $0 } }

    /// All that there is to hear.
    package func wait() async -> [Door.Event] {
        await last.wait()
        return events
    }

    /// The texts of what has been heard.
    package var texts: [String] { events.map(\.text) }
}

extension Door.Event {
    /// The event as a text.
    package var text: String {
        switch self {
        case .progress(let fraction): "progress \(fraction)"
        case .response(let status, let data): "\(status), \(data.count) bytes"
        case .message(let message): "message \(message)"
        case .failure(let error): "failure: \(error)"
        case .end: "end"
        }
    }
}
