import Foundation

/// What came back for a request: a status code and data, and what can be made of them.
public final class Response: CustomDebugStringConvertible, Equatable, Sendable {
    /// The status code.
    public let statusCode: Int
    /// The body; empty if there was none.
    public let data: Data
    /// The request as it was sent, after plugins.
    public let request: URLRequest?

    private let head: Head

    private enum Head: Sendable {
        case given(HTTPURLResponse?)
        /// Foundation's response is costly to make, so it is made when it is first asked for.
        case received(SessionResponse, made: Locked<HTTPURLResponse?>)
    }

    /// Makes a response.
    public init(statusCode: Int, data: Data, request: URLRequest? = nil, response: HTTPURLResponse? = nil) {
        self.statusCode = statusCode
        self.data = data
        self.request = request
        head = .given(response)
    }

    init(_ response: SessionResponse) {
        statusCode = response.statusCode
        data = response.data
        request = response.request
        head = .received(response, made: Locked(nil))
    }

    /// The response as Foundation has it: URL and headers. `nil` for a stub that gave only a status code.
    public var response: HTTPURLResponse? {
        switch head {
        case .given(let response):
            return response
        case .received(let received, let made):
            if let response = made.withLock({ $0 }) { return response }
            let response = received.makeHTTPURLResponse()
            return made.withLock { made in
                // Whoever came first: all get the same object.
                if made == nil { made = response }
                return made
            }
        }
    }

    /// The headers; none for a stub that gave only a status code.
    ///
    /// It costs less than asking ``response`` for them.
    public var headers: HTTPHeaders {
        switch head {
        case .received(let received, _): received.combinedHeaders
        case .given(let response): response?.headers ?? HTTPHeaders()
        }
    }

    /// `Status Code: N, Data Length: M`.
    public var description: String { "Status Code: \(statusCode), Data Length: \(data.count)" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Whether status, data and Foundation's response are equal; the requests don't matter.
    public static func == (lhs: Response, rhs: Response) -> Bool {
        guard lhs.statusCode == rhs.statusCode, lhs.data == rhs.data else { return false }
        return switch (lhs.response, rhs.response) {
        case (nil, nil): true
        case (let left?, let right?): left === right || left.isSame(as: right)
        default: false
        }
    }
}

extension HTTPURLResponse {
    /// Foundation's own comparison leaves status and headers out on Linux.
    fileprivate func isSame(as other: HTTPURLResponse) -> Bool {
        url == other.url && statusCode == other.statusCode && Set(headers) == Set(other.headers)
    }
}
