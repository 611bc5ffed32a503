import Foundation
import MoyaHTTP
import Testing

@Suite("An error of reading a body names the problem")
struct RequestBodyErrorTests {
    static let file = URL(fileURLWithPath: "/tmp/a b.txt")
    static let cause = NSError(domain: "test", code: 7, userInfo: [NSLocalizedDescriptionKey: "The disk is gone."])

    static let texts: [(RequestBodyError, String)] = [
        (
            RequestBodyError(.notAFileURL, part: "p", file: URL(string: "https://user:secret@example.com/f")),
            "The URL \"https://example.com/f\" for the request body of part \"p\" is not a file URL: "
                + "use the URL of a local file."
        ),
        (
            RequestBodyError(.missing, file: file),
            "The file \"/tmp/a b.txt\" for the request body does not exist: create it before the request is sent."
        ),
        (
            RequestBodyError(.missing, part: "p", file: file),
            "The file \"/tmp/a b.txt\" for the request body of part \"p\" does not exist: create it before the request "
                + "is sent."
        ),
        (
            RequestBodyError(.isDirectory, file: file),
            "The file \"/tmp/a b.txt\" for the request body is a directory: name a file in it."
        ),
        (
            RequestBodyError(.notARegularFile, file: file),
            "The file \"/tmp/a b.txt\" for the request body is a device, socket or named pipe: use a stream instead."
        ),
        (
            RequestBodyError(.notReadable, file: file),
            "The file \"/tmp/a b.txt\" for the request body is not readable by this process: change its permissions."
        ),
        (
            RequestBodyError(.sizeChanged(expected: 5, found: 6), file: file),
            "The file \"/tmp/a b.txt\" for the request body changed while it was being sent: it had 5 bytes, and now has "
                + "6. Send it when nothing writes to it."
        ),
        (
            RequestBodyError(.tooShort(declared: 5, found: 4), part: "p"),
            "A source of the request body of part \"p\" ended after 4 bytes, but 5 were declared: declare the real "
                + "length, or none."
        ),
        (
            RequestBodyError(.tooLong(declared: 5)),
            "A source of the request body supplies more than the 5 bytes that were declared: declare the real length, "
                + "or none."
        ),
        (
            RequestBodyError(.lengthOverflow),
            "The lengths declared for the request body add up to more than can be sent: declare the real lengths, or "
                + "none."
        ),
        (
            RequestBodyError(.alreadyRead),
            "A stream or sequence of the request body has been opened before and cannot be read again: use a new one "
                + "for each request, or mark the sequence as repeatable."
        ),
        (
            RequestBodyError(.readConcurrently),
            "A piece of the request body was requested while another one was being read: request one after the other."
        ),
        (
            RequestBodyError(.asynchronous, part: "p"),
            "An async sequence supplies the request body of part \"p\", so it cannot be built synchronously: send it "
                + "as a body instead."
        ),
        (RequestBodyError(.cancelled), "Reading the request body was cancelled."),
        (
            RequestBodyError(.failed, file: file, underlyingError: cause),
            "Reading the file \"/tmp/a b.txt\" for the request body failed: The disk is gone."
        ),
        (RequestBodyError(.failed, part: "p"), "Reading the request body of part \"p\" failed: no cause was given."),
        (
            RequestBodyError(.trailerNotAllowed(name: "Host")),
            "The field \"Host\" is not allowed in the trailers of the request body: send it in the headers, or omit it."
        ),
    ]

    @Test("the text of a body's error names the problem, its place and a remedy", arguments: texts)
    func text(_ error: RequestBodyError, text: String) {
        #expect(error.localizedDescription == text)
        #expect((error as any Error).localizedDescription == text)
    }

    @Test("errors of reading a body are equal by reason, part, file, and the cause's domain and code")
    func equality() {
        for (index, row) in Self.texts.enumerated() {
            for (other, otherRow) in Self.texts.enumerated() {
                #expect((row.0 == otherRow.0) == (index == other))
            }
        }
        let one = RequestBodyError(.failed, underlyingError: NSError(domain: "a", code: 1))
        #expect(one == RequestBodyError(.failed, underlyingError: NSError(domain: "a", code: 1)))
        #expect(one != RequestBodyError(.failed, underlyingError: NSError(domain: "a", code: 2)))
        #expect(one != RequestBodyError(.failed, underlyingError: NSError(domain: "b", code: 1)))
        #expect(one != RequestBodyError(.failed))
    }
}
