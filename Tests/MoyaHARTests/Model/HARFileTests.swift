import Foundation
import TestSupport
import Testing

@testable import MoyaHAR

@Suite("HAR files are read and written")
struct HARFileTests {
    @Test("a HAR file is read as it was written, without loss")
    func roundTrip() throws {
        #expect(try HAR(data: HAR.small.data()) == HAR.small)
    }

    @Test("a HAR archive is always written as the same text: indented, with sorted keys and a final line end")
    func isStable() throws {
        let text = HAR.smallText
        #expect(try HAR(data: Data(text.utf8)).data() == Data(text.utf8))
        #expect(text.hasSuffix("}\n"))
        #expect(text.contains("\n  \"log\""))
        let names = ["\"cache\"", "\"comment\" : \"asked\"", "\"startedDateTime\"", "\"timings\""]
        let places = names.compactMap { text.range(of: $0)?.lowerBound }
        #expect(places.count == names.count && places == places.sorted())
        #expect(text.contains("https://api.example.com/users?page=1"), "slashes stay readable")
    }

    @Test("a HAR file is replaced in one step, and missing folders are created")
    func file() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a/b/c.har")
        try HAR().write(to: file)
        try HAR.small.write(to: file)
        #expect(try HAR(contentsOf: file) == HAR.small)
        let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
        #expect(names == ["c.har"])
    }

    @Test("only the owner can read a HAR file, also if it replaces another one")
    func mode() throws {
        let folder = try TemporaryFolder()
        let old = try folder.write("old", to: "old.har")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: old.path)
        for file in [old, folder.file("new.har")] {
            try HAR.small.write(to: file)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
            #expect(mode as? NSNumber == 0o600)
        }
        #expect(try folder.names == ["new.har", "old.har"])
    }

    @Test("a failed write does not change the old HAR file, and the error names the file")
    func cannotWrite() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "a")
        #expect(throws: HARError(.notWritable, file: folder.file("a/b.har"))) {
            try HAR.small.write(to: folder.file("a/b.har"))
        }
        #expect(try folder.text("a") == "old")
        try FileManager.default.createDirectory(at: folder.file("b.har"), withIntermediateDirectories: false)
        #expect(throws: HARError(.notWritable, file: folder.file("b.har"))) {
            try HAR.small.write(to: folder.file("b.har"))
        }
        #expect(try folder.names == ["a", "b.har"])
        var har = HAR.small
        har.entries[0].time = .infinity
        try folder.write("old", to: "c.har")
        let error = #expect(throws: HARError.self) { try har.write(to: folder.file("c.har")) }
        #expect(error?.reason == .invalidValue("can't be written"))
        #expect(try folder.text("c.har") == "old")
    }

    @Test("optional members of a HAR file may be missing")
    func lenient() throws {
        let text = #"""
            {"log": {"_own": [1], "entries": [{
              "_initiator": {"type": "parser", "url": "x"}, "startedDateTime": "2026-01-01T00:00:00Z", "time": null,
              "request": {"method": "GET", "url": "http://h/", "_x": true, "bodySize": -1, "headersSize": 12.0},
              "response": {"status": "200", "content": {"size": 3.0, "_y": {}}, "_error": null, "bodySize": null}
            }]}}
            """#
        let entry = try #require(try HAR(data: Data(text.utf8)).entries.first)
        #expect(entry.request.headersSize == 12)
        #expect(entry.response.status == 200)
        #expect(entry.response.content.size == 3)
        #expect(entry.time == -1)
        #expect(entry.timings == HAR.Timings(send: -1, wait: -1, receive: -1))
        #expect(entry.response.bodySize == -1)
        #expect(entry.response.error == nil)
    }

    @Test("a byte order mark at the beginning of a HAR file is skipped")
    func byteOrderMark() throws {
        #expect(try HAR(data: Data([0xEF, 0xBB, 0xBF]) + HAR.small.data()) == HAR.small)
    }

    @Test(
        "a request body that a program wrote to a HAR file as Latin-1 is restored to its original bytes",
        arguments: [
            (#""bodySize": 5, "postData": {"mimeType": "text/plain", "text": "Zo\u00c3\u00ab!"}"#, "Zoë!", nil),
            (#""bodySize": 3, "postData": {"mimeType": "", "text": "\u00ff\u00fea"}"#, "//5h", "base64"),
            (#""bodySize": 5, "postData": {"mimeType": "text/plain", "text": "Zoë!"}"#, "Zoë!", nil),
            (#""bodySize": 4, "postData": {"mimeType": "text/plain; charset=x", "text": "Zoë!"}"#, "Zoë!", nil),
            (#""bodySize": -1, "postData": {"mimeType": "text/plain", "text": "Zo\u00c3\u00ab!"}"#, "ZoÃ«!", nil),
            (#""bodySize": 2, "postData": {"mimeType": "text/plain", "text": "\u20ac\u20ac"}"#, "€€", nil),
            (#""bodySize": 4, "postData": {"mimeType": "text/plain", "text": "ë***"}"#, "ë***", nil),
        ] as [(String, String, String?)]
    )
    func bytesAsText(_ fields: String, _ text: String, _ encoding: String?) throws {
        let archive = #"""
            {"log": {"entries": [{"startedDateTime": "2026-01-01T00:00:00Z",
              "request": {"method": "POST", "url": "http://h/", \#(fields)}, "response": {"status": 200}}]}}
            """#
        let post = try #require(try HAR(data: Data(archive.utf8)).entries.first?.request.postData)
        #expect(post.text == text)
        #expect(post.encoding == encoding)
    }

    @Test(
        "a response body written to a HAR file as Latin-1 is restored if its length equals the decoded or the encoded size"
    )
    func answeredBytesAsText() throws {
        for sizes in [
            #""size": 5"#, #""size": 3, "compression": 2"#, #""size": 9223372036854775807, "compression": 5"#,
        ] {
            let archive = #"""
                {"log": {"entries": [{"startedDateTime": "2026-01-01T00:00:00Z",
                  "request": {"method": "GET", "url": "http://h/"},
                  "response": {"status": 200, "content": {\#(sizes), "mimeType": "text/plain", "text": "Zo\u00c3\u00ab!"}}}]}}
                """#
            let content = try #require(try HAR(data: Data(archive.utf8)).entries.first?.response.content)
            #expect(content.text == (sizes.contains("922") ? "ZoÃ«!" : "Zoë!"))
        }
    }
}
