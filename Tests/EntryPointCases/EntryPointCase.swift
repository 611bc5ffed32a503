import Foundation
import Moya
import MoyaHTTP
import TestServers
import TestSupport

/// A rule that every entry point must follow.
///
/// A case returns the actual and the expected events as texts.
package enum EntryPointCase: String, CaseIterable, Sendable, CustomStringConvertible {
    case success, decoded, mappingFailure, badStatus, badStatusWithValidation, transportFailure
    case cancelBefore, cancelDuring, cancelInBody, cancelAfter
    case progress, progressOfStub, progressOfFailure
    case immediateStub, delayedStub, failingStub
    case queueGiven, queueOfProvider, queueNotGiven
    case output, outputMappingFailure, outputRefused, outputOfStub, outputCancelled, outputOnQueue

    package var description: String { rawValue }

    /// The actual and the expected events.
    package struct Outcome: Sendable {
        package var happened: [String]
        package var expected: [String]
    }

    /// Runs the case.
    package func run(through entryPoint: EntryPoint) async throws -> Outcome {
        switch self {
        case .success, .decoded, .mappingFailure, .badStatus, .badStatusWithValidation, .transportFailure, .output,
            .outputMappingFailure, .outputRefused:
            try await runLive(through: entryPoint)
        case .cancelBefore: await runCancelBefore(through: entryPoint)
        case .cancelDuring, .cancelInBody, .outputCancelled: try await runCancelDuring(through: entryPoint)
        case .cancelAfter: try await runCancelAfter(through: entryPoint)
        case .progress, .progressOfStub, .progressOfFailure: try await runProgress(through: entryPoint)
        case .immediateStub, .delayedStub, .failingStub, .outputOfStub: await runStub(through: entryPoint)
        case .queueGiven, .queueOfProvider, .queueNotGiven, .outputOnQueue: try await runQueue(through: entryPoint)
        }
    }
}

/// Collects the events of an entry point until the last one.
package final class Listener: Sendable {
    private let received = Recorder<EntryPoint.Event>()
    private let places = Recorder<Bool>()
    private let last = Promise<Void>()
    private let isRightPlace: @Sendable () -> Bool

    package init(isRightPlace: @escaping @Sendable () -> Bool = { true }) { self.isRightPlace = isRightPlace }

    package func receive(_ event: EntryPoint.Event) {
        received.add(event)
        places.add(isRightPlace())
        if event.isLast { last.fulfill(()) }
    }

    /// The received events.
    package var events: [EntryPoint.Event] { received.values }

    /// Whether all events were received on the expected queue.
    package var wasInPlace: Bool { places.values.allSatisfy { $0 } }

    /// Waits for the last event, and returns all events.
    package func wait() async -> [EntryPoint.Event] {
        await last.wait()
        return events
    }

    /// The texts of the received events.
    package var texts: [String] { events.map(\.text) }
}

extension EntryPoint.Event {
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
