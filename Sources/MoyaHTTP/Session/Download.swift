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

    private let request: TransportRequest
    /// Sends the request again, with these headers over its own.
    private let ask: (HTTPFields) async throws -> TransportResponse
    private let file: DownloadFile
    private let meter: ProgressMeter?

    /// What is being written, if it can be continued.
    private var entity: DownloadEntity?
    /// How many bytes there are.
    private var length: Int64 = 0
    /// How many there will be after the answer that is being read, if it says so.
    private var expected: Int64?
    private var interruptions = DownloadInterruptions()

    /// Asks where to write to, and opens the file there.
    ///
    /// - Throws: ``DownloadError``
    init(
        _ first: TransportResponse,
        to request: TransportRequest,
        at place: (destinationURL: URL, options: DownloadRequest.Options),
        progress: ProgressHandler?,
        ask: @escaping (HTTPFields) async throws -> TransportResponse
    ) async throws {
        self.request = request
        self.ask = ask
        meter = progress.map { ProgressMeter(total: first.knownLength ?? -1, report: $0) }
        if place.options.contains(.resumesWhenInterrupted) {
            entity = DownloadEntity(of: ResponseHead(first), to: request)
        }
        file = try await DownloadFile.open(place.destinationURL, options: place.options, entity: entity)
    }

    /// Writes the first answer's body, or what is missing of it, and moves the file to its destination.
    ///
    /// - Throws: ``DownloadError``, ``OtherAnswer``, or what the transport throws.
    mutating func run(_ first: TransportResponse) async throws {
        do {
            var answer = try await begin(first)
            while let response = answer { answer = try await write(response) }
            try await file.commit()
            meter?.ended()
        } catch let error as DownloadError {
            await file.discard()
            throw error
        } catch {
            await file.suspend()
            throw error
        }
    }

    /// Finds out what is there already. Returns the answer to be written, `nil` if nothing is missing.
    private mutating func begin(_ first: TransportResponse) async throws -> TransportResponse? {
        guard let entity, file.resumeOffset > 0 else { return first }
        length = file.resumeOffset
        interruptions = DownloadInterruptions(length: length)
        switch DownloadResumption(entity: entity, offset: length).nextStep {
        case .write:
            try await startOver(entity)
            return first
        case .askForRest:
            return try await askForRest()
        case .complete:
            return nil
        }
    }

    /// Writes an answer's body. Returns another answer if something is missing then.
    private mutating func write(_ response: TransportResponse) async throws -> TransportResponse? {
        do {
            for try await chunk in TransportBodyStream(response.body) {
                try await file.write(chunk)
                length += Int64(chunk.count)
                meter?.advanced(to: length, of: entity?.totalLength)
            }
        } catch let error as URLError where entity != nil {
            length = try await file.flush()
            guard interruptions.failed(error.code, length: length) == .resume else { throw error }
            return try await askForRest()
        }
        if let expected, length != expected { throw URLError.exchange(.badServerResponse, url: request.url) }
        guard let total = entity?.totalLength, length < total else { return nil }
        // A server may send less of a range than it was asked for.
        length = try await file.flush()
        guard interruptions.endedShort(length: length) == .resume else {
            throw URLError.exchange(.networkConnectionLost, url: request.url)
        }
        return try await askForRest()
    }

    /// Returns the answer with what is missing, `nil` if that is nothing.
    private mutating func askForRest() async throws -> TransportResponse? {
        expected = nil
        guard let entity else { return try await askForWhole() }
        let resumption = DownloadResumption(entity: entity, offset: length)
        switch resumption.nextStep {
        case .write: return try await askForWhole()
        case .complete: return nil
        case .askForRest: break
        }
        let response = try await ask(resumption.headers)
        switch resumption.action(for: ResponseHead(response)) {
        case .append(let count):
            expected = length + count
            return response
        case .startOver:
            try await startOver(DownloadEntity(of: ResponseHead(response), to: request))
            return response
        case .askAgain:
            return try await askForWhole()
        case .complete:
            return nil
        case .handOver:
            throw OtherAnswer(response: response)
        }
    }

    private mutating func askForWhole() async throws -> TransportResponse {
        let response = try await ask([:])
        guard response.status == 200 else { throw OtherAnswer(response: response) }
        try await startOver(DownloadEntity(of: ResponseHead(response), to: request))
        return response
    }

    private mutating func startOver(_ entity: DownloadEntity?) async throws {
        try await file.startOver(entity)
        self.entity = entity
        length = 0
        interruptions.startedOver()
    }
}

extension ResponseHead {
    init(_ response: TransportResponse) {
        self.init(status: response.status, headers: response.headers)
    }
}
