import Foundation
import MoyaHTTP
import Testing

@Suite("A validation error of a request explains itself")
struct RequestValidationErrorTests {
    static let texts: [(RequestValidationError, String)] = [
        (
            .invalidURL("h/x"),
            "The URL \"h/x\" is not absolute: give it a scheme and a host, as in \"https://example.com\"."
        ),
        (
            .invalidURL(""),
            "The URL \"\" is not absolute: give it a scheme and a host, as in \"https://example.com\"."
        ),
        (
            .invalidURL("h/x?token=5ecret#f"),
            "The URL \"h/x\" is not absolute: give it a scheme and a host, as in \"https://example.com\"."
        ),
        (.unsupportedScheme("ftp"), "URLs with the scheme \"ftp\" are not supported: use \"http\" or \"https\"."),
        (
            .invalidMethod("GE T"),
            "\"GE T\" is not an HTTP method: a method is letters, digits and !#$%&'*+-.^_`|~, without spaces."
        ),
        (
            .invalidHeaderName("X:"),
            "\"X:\" is not a header name: a name is letters, digits and !#$%&'*+-.^_`|~, without spaces."
        ),
        (
            .invalidHeaderValue(name: "X-A"),
            "The value of the header \"X-A\" has a line break or another control character: leave it out, or escape it."
        ),
        (
            .bodyNotAllowed(method: "GET"),
            "A GET request cannot have a body here: choose another method, or put the parameters into the URL."
        ),
        (
            .bodySequenceNotSupported,
            "URLSession cannot send an async sequence on Linux: use NIOTransport, or send data or a file."
        ),
        (
            .trailersNotSupported,
            "The transport cannot send trailers after a body: use NIOTransport, or send the fields as headers."
        ),
        (
            .upgradeNotSupported,
            "The transport cannot upgrade a connection to another protocol: use NIOTransport."
        ),
        (
            .invalidUpgrade,
            "A request for an upgrade must be a GET without a body, and the name of the protocol must be a token."
        ),
    ]

    @Test("the text of a validation error names the problem and a remedy", arguments: texts)
    func text(_ error: RequestValidationError, text: String) {
        #expect(error.localizedDescription == text)
        #expect(error.errorDescription == text)
        #expect((error as any Error).localizedDescription == text)
        #expect((error as NSError).localizedDescription == text)
    }

    @Test("validation errors of requests are equal only if their reasons are equal")
    func equality() {
        for (index, row) in Self.texts.enumerated() {
            for (other, otherRow) in Self.texts.enumerated() {
                #expect((row.0 == otherRow.0) == (index == other))
            }
        }
    }
}
