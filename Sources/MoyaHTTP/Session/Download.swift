import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One download, from its first answer to the file at its destination, with what it takes to continue it when it breaks off.
///
/// What to do is decided by ``DownloadResumption`` and ``DownloadInterruptions``, and done here.
struct Download {
    /// An answer to a request for the rest that is about something else: an error, for example.
    struct OtherAnswer: Error {
        let response: TransportResponse
    }

    /// Sends a request again, with these headers over its own.
    typealias Ask = (HTTPFields) async throws -> TransportResponse

    private var request: TransportRequest
    private let file: DownloadFile
    private let meter: ProgressMeter?
    private let clock: any Clock<Duration>
    /// Whether it goes on by itself when it breaks off.
    private let resumes: Bool
    /// Whether an earlier try has left something.
    private var isBegun = false

    /// What is being written, if it can be continued.
    private var entity: DownloadEntity?
    /// How many bytes there are.
    private var length: Int64 = 0
    /// How many there will be after the answer that is being read, if it says so.
    private var expected: Int64?
    private var interruptions = DownloadInterruptions()

    /// Opens the file that is written to.
    ///
    /// - Parameters:
    ///   - place: Where the file goes.
    ///   - isContinuable: Whether further tries may follow that go on where one has failed.
    /// - Throws: ``DownloadError``
    init(
        _ first: SessionAnswer,
        at place: (destinationURL: URL, options: DownloadRequest.Options),
        isContinuable: Bool,
        progress: ProgressMeter?,
        clock: any Clock<Duration>
    ) async throws {
        request = first.sent
        meter = progress
        self.clock = clock
        resumes = place.options.contains(.resumesWhenInterrupted)
        let continued = DownloadEntity(of: ResponseHead(first.response), to: first.sent)
        entity = resumes || isContinuable ? continued : nil
        file = try await DownloadFile.open(
            place.destinationURL,
            options: place.options,
            entity: resumes ? continued : nil
        )
    }

    /// Writes an answer's body, or what is missing of it, and moves the file to its destination.
    ///
    /// After an error it may be run again, with another answer to the same request; ``end(_:)`` says that it won't be.
    ///
    /// - Throws: ``DownloadError``, ``OtherAnswer``, or what the transport throws.
    mutating func run(_ first: SessionAnswer, ask: Ask) async throws {
        request = first.sent
        meter?.expect(first.response.knownLength)
        var answer = try await begin(first.response, ask)
        while let response = answer { answer = try await write(response, ask) }
        try await file.commit()
        meter?.ended()
    }

    /// It has failed for good: what is there is kept if a later one may continue it.
    func end(_ error: any Error) async {
        if error is DownloadError { await file.discard() } else { await file.suspend() }
    }

    /// Finds out what is there already. Returns the answer to be written, `nil` if nothing is missing.
    private mutating func begin(_ first: TransportResponse, _ ask: Ask) async throws -> TransportResponse? {
        let isBegunBefore = isBegun
        isBegun = true
        if isBegunBefore {
            length = try await file.flush()
            let now = DownloadEntity(of: ResponseHead(first), to: request)
            guard let entity, let now, entity.isSame(as: now) else {
                // Something else by now, or nothing that could be continued.
                try await restart(with: now, total: first.knownLength)
                return first
            }
        } else {
            length = file.resumeOffset
        }
        guard let entity, length > 0 else { return first }
        interruptions = DownloadInterruptions(length: length)
        switch DownloadResumption(entity: entity, offset: length).nextStep {
        case .write:
            try await restart(with: entity, total: first.knownLength)
            return first
        case .askForRest:
            return try await askForRest(ask)
        case .complete:
            return nil
        }
    }

    /// Writes an answer's body. Returns another answer if something is missing then.
    private mutating func write(_ response: TransportResponse, _ ask: Ask) async throws -> TransportResponse? {
        do {
            for try await chunk in TransportBodyStream(response.body) {
                try await file.write(chunk)
                length += Int64(chunk.count)
                meter?.advanced(to: length, of: entity?.totalLength)
            }
        } catch let error as URLError where entity != nil && resumes {
            length = try await file.flush()
            guard interruptions.failed(error.code, length: length) == .resume else { throw error }
            return try await askForRest(ask)
        }
        if let expected, length != expected { throw URLError.exchange(.badServerResponse, url: request.url) }
        guard let total = entity?.totalLength, length < total else { return nil }
        // A server may send less of a range than it was asked for.
        length = try await file.flush()
        guard resumes, interruptions.endedShort(length: length) == .resume else {
            throw URLError.exchange(.networkConnectionLost, url: request.url)
        }
        return try await askForRest(ask)
    }

    /// Returns the answer with what is missing, `nil` if that is nothing.
    private mutating func askForRest(_ ask: Ask) async throws -> TransportResponse? {
        expected = nil
        guard let entity else { return try await askForWhole(ask) }
        let resumption = DownloadResumption(entity: entity, offset: length)
        switch resumption.nextStep {
        case .write: return try await askForWhole(ask)
        case .complete: return nil
        case .askForRest: break
        }
        try await waitForTurn()
        let response = try await ask(resumption.headers)
        switch resumption.action(for: ResponseHead(response)) {
        case .append(let count):
            expected = length + count
            self.entity?.learn(from: ResponseHead(response))
            return response
        case .startOver:
            try await startOver(with: response)
            return response
        case .askAgain:
            return try await askForWhole(ask)
        case .complete:
            return nil
        case .handOver:
            throw OtherAnswer(response: response)
        }
    }

    private mutating func askForWhole(_ ask: Ask) async throws -> TransportResponse {
        try await waitForTurn()
        let response = try await ask([:])
        guard response.status == 200 else { throw OtherAnswer(response: response) }
        try await startOver(with: response)
        return response
    }

    /// Begins again with a response in place of the rest that was asked for.
    private mutating func startOver(with response: TransportResponse) async throws {
        guard interruptions.startedOver() == .resume else {
            throw URLError.exchange(
                .networkConnectionLost,
                url: request.url,
                reason:
                    "The download broke off again and again, and the server had another version of the file each time."
            )
        }
        try await restart(
            with: DownloadEntity(of: ResponseHead(response), to: request),
            total: response.knownLength
        )
    }

    private mutating func restart(with entity: DownloadEntity?, total: Int64?) async throws {
        try await file.startOver(entity)
        self.entity = entity
        length = 0
        meter?.startedOver(of: total)
    }

    private func waitForTurn() async throws {
        let delay = interruptions.delay
        guard delay > .zero else { return }
        do {
            try await clock.sleep(for: delay)
        } catch {
            throw URLError.cancelled(url: request.url)
        }
    }
}

extension ResponseHead {
    init(_ response: TransportResponse) {
        self.init(status: response.status, headers: response.headers)
    }
}
