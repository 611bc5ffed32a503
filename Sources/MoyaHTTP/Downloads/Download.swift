import Foundation
import HTTPTypes

/// One download, from its first response to the file at its destination, across the attempts of its request.
///
/// Range requests continue an interrupted download (RFC 9110, section 14), as ``DownloadResumption`` and
/// ``DownloadInterruptions`` decide.
actor Download {
    /// A response to a request for the rest of the file that does not contain it, such as an error.
    struct OtherResponse: Error {
        let response: TransportResponse
    }

    /// Sends a request again, with these fields as its headers.
    typealias SendAgain = @Sendable (HTTPFields) async throws -> TransportResponse

    /// The request as the caller made it.
    private let original: URLRequest
    private let destination: DownloadRequest.Destination
    private let meter: ProgressMeter?
    /// Whether a later attempt may continue a failed one.
    private let canBeRetried: Bool

    private var opened: (file: DownloadFile, resumes: Bool)?
    private var request: TransportRequest?
    private var clock: any Clock<Duration> = ContinuousClock()
    /// The entity of the file, if the download can be continued.
    private var entity: DownloadEntity?
    /// The number of bytes that have been written.
    private var length: Int64 = 0
    /// The trailers of the last response.
    private var trailers = HTTPFields()
    /// The length of the file after the current response, if the response has a length.
    private var expected: Int64?
    private var interruptions = DownloadInterruptions()
    private var destinationURL: URL?
    /// The file with the body, after it has been moved to its destination.
    private(set) var savedFile: URL?
    /// The number of requests for the rest of the file.
    private(set) var continuationCount = 0

    /// Creates a download.
    ///
    /// - Parameters:
    ///   - original: The request as the caller made it.
    ///   - destination: Returns the URL of the file. It is called with the first response.
    ///   - canBeRetried: Whether a later attempt may continue a failed one.
    ///   - progress: A function that is called as the body arrives.
    init(
        _ original: URLRequest,
        to destination: @escaping DownloadRequest.Destination,
        canBeRetried: Bool,
        progress: ProgressHandler?
    ) {
        self.original = original
        self.destination = destination
        self.canBeRetried = canBeRetried
        meter = progress.map { ProgressMeter(report: $0) }
    }

    /// Writes a response's body, or its missing part, and moves the file to its destination.
    ///
    /// After an error it can be called again with another response to the same request. Call ``end(_:)`` after the last error.
    ///
    /// - Parameters:
    ///   - first: The response.
    ///   - head: The head of the response.
    ///   - request: The request that the response belongs to; `nil` if the download can't be continued.
    ///   - clock: Measures the time between requests for the rest.
    ///   - sendAgain: Sends the request again.
    /// - Returns: The trailers of the last response.
    /// - Throws: ``DownloadError``, ``OtherResponse``, or the error of the transport.
    func save(
        _ first: TransportResponse,
        head: SessionResponse,
        to request: TransportRequest?,
        clock: any Clock<Duration>,
        sendAgain: SendAgain
    ) async throws -> HTTPFields {
        self.request = request
        self.clock = clock
        try checkIsWhole(first)
        let isOpenedBefore = opened != nil
        let (file, _) = try await open(first, head)
        meter?.expect(first.knownLength)
        var response = try await begin(first, file, isOpenedBefore: isOpenedBefore, sendAgain: sendAgain)
        while let next = response { response = try await write(next, file, sendAgain: sendAgain) }
        try await file.commit()
        savedFile = destinationURL
        // If a middleware replaces the response, the new response is a separate download.
        (opened, entity, length) = (nil, nil, 0)
        meter?.flush()
        return trailers
    }

    /// Ends a failed download.
    ///
    /// The written data is kept if a later download can continue it.
    func end(_ error: any Error) async {
        guard let file = opened?.file else { return }
        if error is DownloadError { await file.discard() } else { await file.suspend() }
    }

    private func open(
        _ first: TransportResponse,
        _ head: SessionResponse
    ) async throws -> (file: DownloadFile, resumes: Bool) {
        if let opened { return opened }
        guard let response = head.makeHTTPURLResponse() else { throw URLError.make(.badURL, url: head.url) }
        let place = destination(Self.temporaryFile(), response)
        let resumes = place.options.contains(.resumesWhenInterrupted)
        let continued = continuableEntity(of: first)
        entity = resumes || canBeRetried ? continued : nil
        let isSmall = first.knownLength.map { $0 <= DownloadFile.longestDeferral } ?? false
        let file =
            isSmall && !resumes
            ? DownloadFile(deferring: place.destinationURL, options: place.options)
            : try await DownloadFile.open(
                place.destinationURL,
                options: place.options,
                entity: resumes ? continued : nil
            )
        opened = (file, resumes)
        destinationURL = place.destinationURL
        return (file, resumes)
    }

    /// Checks that a response is not a part of the file that was not requested (RFC 9110, section 15.3.7).
    private func checkIsWhole(_ first: TransportResponse) throws(URLError) {
        guard first.status == 206, original.value(forHTTPHeaderField: "Range") == nil,
            request?.headers[.range] == nil
        else { return }
        let content = first.headers[.contentRange].flatMap { ContentRange($0) }
        if let range = content?.range, range.lowerBound == 0, range.upperBound + 1 == content?.total { return }
        throw URLError.make(
            .badServerResponse,
            url: request?.url ?? original.url,
            reason: "The server sent a part of the file, although the whole file was requested."
        )
    }

    /// Returns the entity of a response; `nil` if a part of it cannot be continued.
    private func continuableEntity(of response: TransportResponse) -> DownloadEntity? {
        request.flatMap { DownloadEntity(of: ResponseHead(response), to: $0, for: original) }
    }

    /// Returns the URL of a nonexistent file, for destinations that return the temporary URL.
    private static func temporaryFile() -> URL {
        // Two random numbers take fewer system calls than a UUID, and a URL that is known to be no folder takes none.
        let name = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 16) }.joined()
        return FileManager.default.temporaryDirectory
            .appendingPathComponent("Moya-\(name).download", isDirectory: false)
    }

    /// Returns the response to be written; `nil` if the file is complete.
    private func begin(
        _ first: TransportResponse,
        _ file: DownloadFile,
        isOpenedBefore: Bool,
        sendAgain: SendAgain
    ) async throws -> TransportResponse? {
        if isOpenedBefore {
            length = try await file.flush()
            let now = continuableEntity(of: first)
            guard let entity, let now, entity.isSame(as: now) else {
                // The entity has changed, or can't be continued.
                try await restart(file, with: now, total: first.knownLength)
                return first
            }
        } else {
            length = file.resumeOffset
        }
        guard let entity, length > 0 else { return first }
        interruptions = DownloadInterruptions(length: length)
        switch DownloadResumption(entity: entity, offset: length).nextStep {
        case .write:
            try await restart(file, with: entity, total: first.knownLength)
            return first
        case .requestRest:
            // The next request may need the connection of this response.
            await Self.drop(first)
            return try await requestRest(file, sendAgain)
        case .complete:
            await Self.drop(first)
            return nil
        }
    }

    private static func drop(_ response: TransportResponse) async {
        var response = response
        await response.dropBody()
    }

    /// Writes a response's body.
    ///
    /// Returns another response if the file is not complete then.
    private func write(
        _ response: TransportResponse,
        _ file: DownloadFile,
        sendAgain: SendAgain
    ) async throws -> TransportResponse? {
        let resumes = opened?.resumes ?? false
        let body = TransportBodyStream(of: response)
        do {
            for try await chunk in body {
                try await file.write(chunk)
                length += Int64(chunk.count)
                meter?.advance(to: length, of: entity?.totalLength)
            }
        } catch {
            guard let code = error.asURLError?.code, entity != nil, resumes else { throw error }
            length = try await file.flush()
            guard interruptions.handleFailure(code, length: length) == .resume else { throw error }
            return try await requestRest(file, sendAgain)
        }
        trailers = body.trailers ?? HTTPFields()
        if let expected, length != expected { throw URLError.make(.badServerResponse, url: request?.url) }
        guard let total = entity?.totalLength, length < total else { return nil }
        // A server may send less than the requested range.
        length = try await file.flush()
        guard resumes, interruptions.handleShortResponse(length: length) == .resume else {
            throw URLError.make(.networkConnectionLost, url: request?.url)
        }
        return try await requestRest(file, sendAgain)
    }

    /// Requests the missing part.
    ///
    /// Returns the response; `nil` if the file is complete.
    private func requestRest(_ file: DownloadFile, _ sendAgain: SendAgain) async throws -> TransportResponse? {
        expected = nil
        guard let entity else { return try await requestWhole(file, sendAgain) }
        let resumption = DownloadResumption(entity: entity, offset: length)
        switch resumption.nextStep {
        case .write: return try await requestWhole(file, sendAgain)
        case .complete: return nil
        case .requestRest: break
        }
        try await waitForTurn()
        continuationCount += 1
        let response = try await sendAgain(resumption.headers)
        switch resumption.action(for: ResponseHead(response)) {
        case .append(let count):
            expected = length + count
            self.entity?.recordTotalLength(from: ResponseHead(response))
            return response
        case .startOver:
            try await startOver(file, with: response)
            return response
        case .requestAgain:
            await Self.drop(response)
            return try await requestWhole(file, sendAgain)
        case .complete:
            await Self.drop(response)
            return nil
        case .passThrough:
            throw OtherResponse(response: response)
        }
    }

    private func requestWhole(_ file: DownloadFile, _ sendAgain: SendAgain) async throws -> TransportResponse {
        try await waitForTurn()
        continuationCount += 1
        let response = try await sendAgain([:])
        guard response.status == 200 else { throw OtherResponse(response: response) }
        try await startOver(file, with: response)
        return response
    }

    /// Starts the file from its beginning, with a response that has the whole entity.
    private func startOver(_ file: DownloadFile, with response: TransportResponse) async throws {
        guard interruptions.handleRestart() == .resume else {
            throw URLError.make(
                .networkConnectionLost,
                url: request?.url,
                reason:
                    "The download broke off again and again, and the server had another version of the file each time."
            )
        }
        try await restart(file, with: continuableEntity(of: response), total: response.knownLength)
    }

    private func restart(_ file: DownloadFile, with entity: DownloadEntity?, total: Int64?) async throws {
        try await file.startOver(entity)
        self.entity = entity
        length = 0
        meter?.restart(total: total)
    }

    private func waitForTurn() async throws {
        let delay = interruptions.delay
        guard delay > .zero else { return }
        do {
            try await clock.sleep(for: delay)
        } catch {
            throw URLError.cancelled(url: request?.url)
        }
    }
}

extension ResponseHead {
    init(_ response: TransportResponse) {
        self.init(status: response.status, fields: response.fields)
    }
}
