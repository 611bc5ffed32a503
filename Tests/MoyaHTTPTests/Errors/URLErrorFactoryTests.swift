import Foundation
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Every failed exchange has a URLError with a text, a cause and a URL")
struct URLErrorFactoryTests {
    private struct Cause: Error, Equatable { let number: Int }

    @Test(
        "each URLError code has a text that describes the failure",
        arguments: [
            (URLError.Code.badURL, "The URL is invalid."),
            (.unsupportedURL, "The URL's scheme is not supported."),
            (.cancelled, "The request was cancelled."),
            (.timedOut, "The request timed out."),
            (.cannotFindHost, "A server with the specified host name could not be found."),
            (.cannotConnectToHost, "Could not connect to the server."),
            (.networkConnectionLost, "The network connection was lost."),
            (.notConnectedToInternet, "There is no network connection."),
            (.badServerResponse, "The server's response is invalid."),
            (.cannotParseResponse, "The server's response is not valid HTTP."),
            (.cannotDecodeContentData, "The response's content coding could not be decoded."),
            (.cannotDecodeRawData, "The response's content coding could not be decoded."),
            (.dataLengthExceedsMaximum, "The response is larger than allowed."),
            (.secureConnectionFailed, "A secure connection to the server could not be established."),
            (.serverCertificateUntrusted, "The server's certificate is not trusted."),
            (.httpTooManyRedirects, "There were too many redirects."),
            (.unknown, "The request failed (NSURLErrorDomain -1)."),
            (.fileDoesNotExist, "The request failed (NSURLErrorDomain -1100)."),
        ]
    )
    func text(_ code: URLError.Code, text: String) {
        let error = URLError.make(code, url: nil)
        #expect(error.code == code)
        #expect(error.localizedDescription == text)
        #expect(error.failingURL == nil)
        #expect(error.userInfo[NSUnderlyingErrorKey] == nil)
        #expect((error as NSError).domain == NSURLErrorDomain)
        #expect((error as NSError).code == code.rawValue)
    }

    @Test("a given reason replaces the text of a URLError's code")
    func reason() {
        #expect(URLError.make(.timedOut, url: nil, reason: "Because.").localizedDescription == "Because.")
    }

    @Test("the cause of a URLError is the underlying error, unchanged")
    func cause() {
        let error = URLError.make(.unknown, url: nil, cause: Cause(number: 7))
        #expect(error.userInfo[NSUnderlyingErrorKey] as? Cause == Cause(number: 7))
        #expect((error as NSError).userInfo[NSUnderlyingErrorKey] is Cause)
    }

    static let urls: [(String, String)] = [
        ("http://h/p?q=1#f", "http://h/p?q=1#f"),
        ("http://user:secret@h:8080/p?q=a@b#f", "http://h:8080/p?q=a@b#f"),
        ("http://secret@h/", "http://h/"),
        ("http://:secret@h", "http://h"),
        ("http://us%40er:sec%2Fret%3Asecret@h/%20?%5B=+", "http://h/%20?%5B=+"),
        ("https://user:secret@[::1]:8443/", "https://[::1]:8443/"),
        ("//user:secret@h/x", "//h/x"),
        // These URLs have no credentials, because a later @ belongs to the path.
        ("http://h/@user/p@q", "http://h/@user/p@q"),
        ("/p/a@b", "/p/a@b"),
        ("/p/a:b@c", "/p/a:b@c"),
        ("?q=a:b@c", "?q=a:b@c"),
        ("http://h:80/a:b@c?d:e@f#g:h@i", "http://h:80/a:b@c?d:e@f#g:h@i"),
    ]

    @Test("user name and password are omitted from the failing URL and from every text of the error", arguments: urls)
    func failingURL(_ text: String, result: String) throws {
        let url = try #require(URL(string: text))
        #expect(url.withoutCredentials.absoluteString == result)
        let error = URLError.make(.timedOut, url: url)
        #expect(error.failingURL?.absoluteString == result)
        #expect(!"\(error) \(error.localizedDescription) \(error.userInfo)".contains("secret"))
    }

    // With wrong slashes, Foundation regards the intended password as a part of the path.
    @Test(
        "user name and password are also omitted from a failing URL with wrong slashes",
        arguments: ["http:user:secret@h/x", "http:/user:secret@h/x", "http:///user:secret@h/x"]
    )
    func wrongSlashes(_ text: String) throws {
        let url = try #require(URL(string: text))
        #expect(!url.withoutCredentials.absoluteString.contains("secret"))
    }

    @Test("the failing URL omits the credentials of its base")
    func relativeURL() throws {
        let base = try #require(URL(string: "http://user:secret@h/a/b"))
        let url = try #require(URL(string: "p?q", relativeTo: base))
        #expect(url.withoutCredentials.absoluteString == "http://h/a/p?q")
    }

    @Test("the error of a cancelled request is NSURLErrorDomain -999")
    func cancelled() throws {
        let url = try #require(URL(string: "http://user:secret@h/"))
        let error = URLError.cancelled(url: url)
        #expect(error.code == .cancelled)
        #expect((error as NSError).domain == NSURLErrorDomain)
        #expect((error as NSError).code == -999)
        #expect(error.failingURL?.absoluteString == "http://h/")
        #expect(URLError.cancelled(url: nil).code == .cancelled)
    }
}
