import Testing

@testable import MoyaHTTP

@Suite("File names are read from Content-Disposition")
struct ContentDispositionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let section: String
        let header: String
        let names: [String]

        init(_ section: String, _ header: String, _ names: String...) {
            self.section = section
            self.header = header
            self.names = names
        }

        var testDescription: String { "\(section): \(header.prefix(80))" }
    }

    static let wellFormed: [Row] = [
        Row("RFC 6266, 4.1", "attachment; filename=example.html", "example.html"),
        Row("RFC 6266, 4.1", "attachment; filename=\"an example.html\"", "an example.html"),
        Row("RFC 6266, 4.1", "Attachment ;\t FILENAME = \"a b\" ; x=y", "a b"),
        Row("RFC 6266, 4.1", "attachment;filename=a;size=5", "a"),
        Row("RFC 6266, 4.1", "attachment; x=\"filename=no;\"; filename=yes", "yes"),
        Row("RFC 6266, 4.2", "inline; filename=a", "a"),
        Row("RFC 6266, 4.1", "attachment"),
        Row("RFC 6266, 4.1", "attachment; name=a; xfilename=b; filename-x=c"),
        Row("RFC 9110, 5.6.4", "attachment; filename=\"a\\\"b\\\\c\"", "a\"b\\c"),
        Row("RFC 9110, 5.6.4", "attachment; filename=\"\"", ""),
        Row("RFC 9110, 5.6.4", "attachment; filename=\"a;b=c\"; x=\";\"", "a;b=c"),
        // filename* takes precedence at any position.
        Row("RFC 6266, 4.3", "attachment; filename=euro; filename*=UTF-8''%e2%82%ac", "€", "euro"),
        Row("RFC 6266, 4.3", "attachment; filename*=UTF-8''%e2%82%ac; filename=euro", "€", "euro"),
        Row("RFC 8187, 3.2", "attachment; filename*=utf-8'en'%E2%82%AC%20rates.txt", "€ rates.txt"),
        Row("RFC 8187, 3.2.2", "attachment; filename*=iso-8859-1'en'%A3%20rates", "£ rates"),
        Row("RFC 8187, 3.2", "attachment; filename*=UTF-8''it's", "it's"),
        // Only the extended form is decoded.
        Row("RFC 6266, C.1", "attachment; filename=\"=?UTF-8?Q?foo=2Ehtml?=\"", "=?UTF-8?Q?foo=2Ehtml?="),
        Row("RFC 6266, C.2", "attachment; filename=foo%20bar", "foo%20bar"),
        Row("RFC 6266, C.3", "attachment; filename=\"grün.txt\"", "grün.txt"),
    ]

    static let malformed: [Row] = [
        Row("no closing quote", "attachment; filename=\"a; x=y", "a; x=y"),
        Row("a backslash at the end", "attachment; filename=\"a\\", "a\\"),
        Row("a quote alone", "attachment; filename=\"", ""),
        Row("text after the quotes", "attachment; filename=\"a\"b; filename*=UTF-8''c", "c", "a"),
        Row("spaces in a token", "attachment; filename=a b ; x=y", "a b"),
        Row("no value", "attachment; filename=; x=y", ""),
        Row("no equals sign", "attachment; filename; filename=a", "a"),
        Row("no type", "filename=a", "a"),
        Row("an empty type", "; filename=a", "a"),
        Row("twice", "attachment; filename=a; filename=b", "a"),
        Row("twice, the first one undecodable", "attachment; filename*=UTF-8''%; filename*=UTF-8''b", "b"),
        Row("semicolons", ";;; ;filename=a;;;", "a"),
        Row("equals signs", "attachment; ===; filename==a=", "=a="),
        Row("extended, in quotes", "attachment; filename*=\"UTF-8''a%20b\"", "a b"),
        Row("extended, unknown charset", "attachment; filename*=UTF-16''a; filename=b", "b"),
        Row("extended, no charset", "attachment; filename*=''a; filename=b", "b"),
        Row("extended, one apostrophe", "attachment; filename*=UTF-8'a; filename=b", "b"),
        Row("extended, a plain token", "attachment; filename*=a; filename=b", "b"),
        Row("extended, half an escape", "attachment; filename*=UTF-8''a%2; filename=b", "b"),
        Row("extended, no hexadecimal", "attachment; filename*=UTF-8''a%zz; filename=b", "b"),
        Row("extended, fullwidth digits", "attachment; filename*=UTF-8''a%２２; filename=b", "b"),
        Row("extended, no UTF-8", "attachment; filename*=UTF-8''%ff%fe; filename=b", "b"),
        Row("extended, overlong UTF-8", "attachment; filename*=UTF-8''%c0%af; filename=b", "b"),
        Row("extended, a surrogate", "attachment; filename*=UTF-8''%ed%a0%80; filename=b", "b"),
        Row("nothing", ""),
        Row("spaces", "  \t "),
        Row("continuations of RFC 2231 are not for HTTP", "attachment; filename*0=a; filename*1=b"),
    ]

    @Test("file names in a well-formed header are parsed by the grammar", arguments: wellFormed)
    func names(_ row: Row) {
        #expect(ContentDisposition(row.header).fileNames == row.names, "\(row.section)")
    }

    @Test("file names in a malformed header are parsed as far as possible", arguments: malformed)
    func malformedNames(_ row: Row) {
        #expect(ContentDisposition(row.header).fileNames == row.names, "\(row.section)")
    }

    @Test(
        "file names in a long header are found in linear time",
        arguments: ["\"", ";", "=", "\\", "%41", "a;=\""]
    )
    func longHeaders(_ piece: String) {
        let text = String(repeating: piece, count: 50_000)
        let time = processorTime {
            _ = ContentDisposition("attachment; filename=\"\(text)").fileNames
            _ = ContentDisposition("attachment; filename*=UTF-8''\(text)").fileNames
            _ = ContentDisposition(text).fileNames
        }
        // The limit is far above linear time, and far below quadratic time.
        #expect(time < .seconds(20))
    }
}
