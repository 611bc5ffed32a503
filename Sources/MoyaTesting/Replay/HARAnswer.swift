import Foundation
import Moya
import MoyaHAR

/// What a recorded entry answers.
struct HARAnswer: Sendable {
    private let entry: HAR.Entry
    private let index: Int

    init(_ entry: HAR.Entry, index: Int) {
        self.entry = entry
        self.index = index
    }

    /// Gives the answer again: a response, or what there was in place of one.
    func response(to request: TransportRequest) async throws -> TransportResponse {
        let recorded = entry.response
        guard (100...999).contains(recorded.status) else { throw try await failure(request) }
        let data = try entry.answeredData(index: index)
        var headers = HTTPFields(recorded.headers)
        let isWhole = recorded.errorCode == nil
        if isWhole { headers.correctLength(data.count, of: request.method, status: recorded.status) }
        guard !isWhole || data.count > request.responseBufferLimit || request.responseBufferLimit <= 0 else {
            return TransportResponse(status: recorded.status, headers: headers, body: .complete(data))
        }
        return TransportResponse(status: recorded.status, headers: headers, body: .stream(stream(data, request)))
    }

    /// The body in pieces, and then what it ended with.
    private func stream(_ data: Data, _ request: TransportRequest) -> TransportBodyStream {
        let rest = Locked(data)
        return TransportBodyStream {
            let piece = rest.withLock { rest in
                defer { rest = rest.dropFirst(Self.pieceSize) }
                return Data(rest.prefix(Self.pieceSize))
            }
            if !piece.isEmpty { return piece }
            guard entry.response.errorCode != nil else { return nil }
            throw try await failure(request)
        }
    }

    /// What the exchange failed with. One that was cancelled had no answer: it waits, as it did then.
    private func failure(_ request: TransportRequest) async throws -> URLError {
        let code = RecordedFailure.code(of: entry.response)
        guard code == .cancelled else {
            return .exchange(code, url: request.url, reason: entry.response.error)
        }
        do {
            try await Task.sleep(for: min(request.idleTimeout, request.totalTimeout, .longestTimeout))
        } catch {
            return .cancelled(url: request.url)
        }
        return .exchange(.timedOut, url: request.url)
    }

    private static let pieceSize = 65_536
}

extension HTTPFields {
    /// A mask may have changed how long a body is.
    fileprivate mutating func correctLength(_ count: Int, of method: HTTPMethod, status: Int) {
        let isCoded = self[.contentEncoding].map { $0.lowercased() != "identity" } ?? false
        guard self[.contentLength] != nil, !isCoded, method != .head, status != 304 else { return }
        self[.contentLength] = "\(count)"
    }
}
