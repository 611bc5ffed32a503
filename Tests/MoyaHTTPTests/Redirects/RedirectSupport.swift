import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension RedirectRequest {
    /// Creates a request to a valid URL.
    init(_ method: HTTPMethod, _ url: String, headers: HTTPFields = [:], hasBody: Bool = false) throws {
        self.init(method: method, url: try #require(URL(string: url)), headers: headers, hasBody: hasBody)
    }
}

extension HTTPFields {
    /// Creates the headers of a response.
    static func location(_ values: String..., setCookie: Bool = false) -> HTTPFields {
        var fields = HTTPFields()
        for value in values { fields.append(HTTPField(name: .location, value: value)) }
        if setCookie { fields[.setCookie] = "a=b" }
        return fields
    }
}

extension RedirectState {
    /// Processes a redirect.
    mutating func redirect(to location: String, status: Int = 302) throws -> Redirect {
        let redirect = handleResponse(status: status, headers: .location(location))
        return try #require(redirect)
    }

    /// Processes a redirect and follows it; `nil` if it is not followed.
    mutating func follow(
        _ location: String,
        status: Int = 302,
        setCookie: Bool = false,
        _ decide: (Redirect) throws -> RedirectDecision = { _ in .follow }
    ) throws -> RedirectRequest? {
        let headers = HTTPFields.location(location, setCookie: setCookie)
        // A failure leaves the state unchanged.
        var state = self
        defer { self = state }
        guard let redirect = state.handleResponse(status: status, headers: headers) else { return nil }
        let before = state
        do {
            guard let next = try state.handleDecision(decide(redirect), on: redirect) else { return nil }
            try state.checkForLoop(sending: next.method, to: next.url)
            return next
        } catch {
            state = before
            throw error
        }
    }
}

/// Returns the redirect error that a closure throws, and checks that it is wrapped correctly.
func redirectError(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> RedirectRequest?
) -> RedirectError? {
    do {
        _ = try body()
        return nil
    } catch let error as URLError {
        let cause = error.userInfo[NSUnderlyingErrorKey] as? RedirectError
        #expect(cause?.code == error.code, sourceLocation: sourceLocation)
        #expect(error.localizedDescription == cause?.errorDescription, sourceLocation: sourceLocation)
        return cause
    } catch {
        Issue.record("another error: \(error)", sourceLocation: sourceLocation)
        return nil
    }
}
