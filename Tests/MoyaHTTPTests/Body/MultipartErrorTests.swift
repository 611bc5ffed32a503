import Foundation
import MoyaHTTP
import Testing

@Suite("An error of a multipart body names the problem")
struct MultipartErrorTests {
    static let url = URL(fileURLWithPath: "/tmp/a b")

    static let texts: [(MultipartError, String)] = [
        (
            .invalidBoundary("a;b"),
            "\"a;b\" cannot be a multipart boundary: use 1 to 70 letters, digits and '()+_,-./:=? or spaces, not "
                + "ending with a space, or omit it."
        ),
        (.invalidName(part: "p"), "The name of part \"p\" contains a NUL character: remove it."),
        (.invalidFileName(part: "p"), "The file name of part \"p\" contains a NUL character: remove it."),
        (
            .noFileName(part: "p", file: url),
            "The URL \"file:///tmp/a%20b\" for part \"p\" has no file name with an extension: specify a file name and a "
                + "MIME type, too."
        ),
        (
            .invalidMIMEType(part: "p"),
            "The MIME type of part \"p\" has a line break, NUL or outer space: write it as in \"image/png\"."
        ),
        (
            .invalidHeader(part: "#1", header: "X A"),
            "The header \"X A\" of part \"#1\" cannot be sent: its name must be letters, digits and !#$%&'*+-.^_`|~, and "
                + "its value must not have line breaks, NUL or surrounding whitespace."
        ),
        (
            .trailersOfPart(part: "p"),
            "The body of the part \"p\" has trailers, which a part cannot have: give them to the body of the request."
        ),
        (
            .compressedPart(part: "p"),
            "Part \"p\" cannot be compressed separately: compress the whole form, or do not compress the part."
        ),
        (
            .notAFileURL(URL(string: "https://user:secret@example.com/x") ?? url),
            "The body cannot be written to \"https://example.com/x\": use the URL of a local file."
        ),
        (
            .fileExists(url),
            "The body cannot be written to \"/tmp/a b\", which exists already: use a file that does not exist."
        ),
        (.notWritable(url, code: ENOSPC), "The body cannot be written to \"/tmp/a b\": No space left on device."),
    ]

    @Test("the text of a multipart error names the problem, its place and a remedy", arguments: texts)
    func text(_ error: MultipartError, text: String) {
        #expect(error.localizedDescription == text)
        #expect((error as any Error).localizedDescription == text)
    }

    @Test("multipart errors are equal by case and payload")
    func equality() {
        for (index, row) in Self.texts.enumerated() {
            for (other, otherRow) in Self.texts.enumerated() { #expect((row.0 == otherRow.0) == (index == other)) }
        }
    }
}
