import Foundation
import Moya
import MoyaHAR

/// Replays a recorded entry.
struct ReplayedResponse: Sendable {
    private let entry: HAR.Entry
    private let index: Int

    init(_ entry: HAR.Entry, index: Int) {
        self.entry = entry
        self.index = index
    }

    /// Returns the recorded response, or throws the recorded error.
    func response(to request: TransportRequest) async throws -> TransportResponse {
        let recorded = entry.response
        guard (100...999).contains(recorded.status) else { throw try await failure(request, isHeadMissing: true) }
        let data = try entry.responseData(index: index)
        var headers = HTTPFields(recorded.headers)
        let isWhole = recorded.errorCode == nil
        if isWhole { headers.correctLength(data.count, of: request.method, status: recorded.status) }
        guard !isWhole || data.count > request.responseBufferLimit || request.responseBufferLimit <= 0 else {
            return TransportResponse(status: recorded.status, headers: headers, body: .complete(data))
        }
        return TransportResponse(status: recorded.status, headers: headers, body: .stream(stream(data, request)))
    }

    /// Returns the body in chunks, followed by the recorded error, if any.
    private func stream(_ data: Data, _ request: TransportRequest) -> TransportBodyStream {
        let rest = Locked(data)
        return TransportBodyStream {
            let chunk = rest.withLock { rest in
                defer { rest = rest.dropFirst(Self.chunkSize) }
                return Data(rest.prefix(Self.chunkSize))
            }
            if !chunk.isEmpty { return chunk }
            guard entry.response.errorCode != nil else { return nil }
            throw try await failure(request, isHeadMissing: false)
        }
    }

    /// Returns the recorded error.
    ///
    /// A request that was cancelled in the recording never got a response, so its replay waits until it is cancelled or times out.
    private func failure(_ request: TransportRequest, isHeadMissing: Bool) async throws -> URLError {
        let code = RecordedFailure.code(of: entry.response)
        guard code == .cancelled else {
            return .make(code, url: request.url, reason: entry.response.error)
        }
        var timeouts = TimeoutState(request)
        if isHeadMissing { timeouts.recordSent(at: .zero) }
        var now = Duration.zero
        while true {
            switch timeouts.verdict(at: now) {
            case .expired(let kind): return .timedOut(timeouts.error(of: kind), url: request.url)
            case .checkAgain(let time):
                do {
                    try await Task.sleep(for: time)
                } catch {
                    return .cancelled(url: request.url)
                }
                now += time
            }
        }
    }

    private static let chunkSize = 65_536
}

extension HTTPFields {
    /// Corrects the declared length of the body, which masking may have changed.
    fileprivate mutating func correctLength(_ count: Int, of method: HTTPMethod, status: Int) {
        guard self[.contentLength] != nil, !isCoded, method != .head, status != 304 else { return }
        self[.contentLength] = "\(count)"
    }
}
