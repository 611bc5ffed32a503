import Foundation
import Testing

@testable import MoyaHAR

@Suite("Custom fields of other programs are kept in HAR files")
struct CustomFieldsTests {
    /// An archive with custom fields at every place, formatted as this library writes it.
    private static let text = #"""
        {
          "log" : {
            "_own" : [
              1,
              2.5,
              9007199254740993,
              -3,
              null,
              true
            ],
            "creator" : {
              "name" : "",
              "version" : ""
            },
            "entries" : [
              {
                "_initiator" : {
                  "stack" : {
                    "url" : "http://h/?access_token=SECRET"
                  },
                  "type" : "parser"
                },
                "_webSocketMessages" : [
                  {
                    "data" : "{\"password\":\"SECRET\",\"a\":1}",
                    "password" : "SECRET"
                  }
                ],
                "cache" : {

                },
                "request" : {
                  "_password" : "SECRET",
                  "_x" : true,
                  "bodySize" : -1,
                  "cookies" : [

                  ],
                  "headers" : [

                  ],
                  "headersSize" : -1,
                  "httpVersion" : "unknown",
                  "method" : "POST",
                  "postData" : {
                    "_encoding" : "base64",
                    "_p" : 1,
                    "mimeType" : "",
                    "text" : "AA=="
                  },
                  "queryString" : [

                  ],
                  "url" : "http://h/"
                },
                "response" : {
                  "_error" : "gone",
                  "_transferSize" : 3,
                  "bodySize" : -1,
                  "content" : {
                    "_y" : {

                    },
                    "mimeType" : "",
                    "size" : 0
                  },
                  "cookies" : [

                  ],
                  "headers" : [

                  ],
                  "headersSize" : -1,
                  "httpVersion" : "unknown",
                  "redirectURL" : "",
                  "status" : 200,
                  "statusText" : ""
                },
                "startedDateTime" : "2026-01-01T00:00:00.000Z",
                "time" : 1,
                "timings" : {
                  "_queued" : 0.25,
                  "blocked" : -1,
                  "connect" : -1,
                  "dns" : -1,
                  "receive" : 1,
                  "send" : 0,
                  "ssl" : -1,
                  "wait" : 0
                }
              }
            ],
            "pages" : [
              {
                "_z" : "http://h/?pin=SECRET",
                "id" : "p",
                "pageTimings" : {

                },
                "startedDateTime" : "2026-01-01T00:00:00.000Z",
                "title" : ""
              }
            ],
            "version" : "1.2"
          }
        }

        """#

    @Test("custom fields at every place of a HAR file are kept when the file is read and written")
    func kept() throws {
        let har = try HAR(data: Data(Self.text.utf8))
        #expect(String(decoding: try har.data(), as: UTF8.self) == Self.text)
        var other = har
        other.entries[0].request.customFields = CustomFields()
        #expect(other != har)
    }

    @Test("custom fields of a HAR file are masked")
    func masked() throws {
        let har = try HAR(data: Data(Self.text.utf8)).masking(HARSecrets(names: ["pin"]))
        let text = String(decoding: try har.data(), as: UTF8.self)
        #expect(!text.contains("SECRET"))
        let masked = Self.text.replacingOccurrences(of: "\"SECRET", with: "\"***")
            .replacingOccurrences(of: "=SECRET", with: "=***")
        #expect(text == masked)
    }

    @Test("custom fields of a HAR file may be nested up to the file's limit")
    func deep() throws {
        let deep = String(repeating: "[", count: 490) + String(repeating: "]", count: 490)
        let text = #"{"log":{"entries":[],"_deep":\#(deep)}}"#
        let har = try HAR(data: Data(text.utf8), limits: HARLimits(depth: 500))
        #expect(try HAR(data: har.data(), limits: HARLimits(depth: 500)) == har)
        #expect(har.masking(.standard) == har)
    }
}
