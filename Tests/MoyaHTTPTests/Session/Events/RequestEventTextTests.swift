import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The texts of events do not show secrets")
struct RequestEventTextTests {
    static let url = "https://user:S3cret1@h.test/a?access_token=S3cret2&page=7"
    static let headers: HTTPFields = [
        .setCookie: "id=S3cret3", HTTPField.Name("X-Api-Key")!: "S3cret4", .contentType: "text/plain",
        .location: "https://user:S3cret5@h.test/?token=S3cret6",
    ]

    @Test("print, a debug text and a dump of an event show no secret")
    func texts() throws {
        let url = try #require(URL(string: Self.url))
        let error = URLError(.timedOut, userInfo: [NSURLErrorFailingURLErrorKey: url])
        let kinds: [RequestEvent.Kind] = [
            .queued(URLRequest(url: url)), .sending(URLRequest(url: url)), .connected,
            .interim(status: 103, headers: Self.headers), .head(status: 200, headers: Self.headers),
            .redirecting(to: url),
            .retrying(after: .seconds(1), because: .response(status: 503, headers: Self.headers)),
            .retrying(after: .seconds(1), because: .failure(error)), .failed(error),
        ]
        for kind in kinds {
            let event = RequestEvent(
                id: UUID(),
                retryCount: 0,
                redirectCount: 0,
                hedge: 0,
                kind: kind,
                info: nil,
                date: Date(),
                time: .now,
                metricsRecorder: nil
            )
            var dumped = ""
            dump(event.kind, to: &dumped)
            for text in ["\(kind)", String(reflecting: kind), "\(event)", String(reflecting: event), dumped] {
                #expect(!text.contains("S3cret"), "\(text)")
            }
        }
    }

    @Test("a text has the method, the URL, the status and the harmless fields")
    func facts() throws {
        let url = try #require(URL(string: Self.url))
        #expect(
            "\(RequestEvent.Kind.queued(URLRequest(url: url)))"
                == "queued(GET https://h.test/a?access_token=***&page=7)"
        )
        let head = "\(RequestEvent.Kind.head(status: 404, headers: Self.headers))"
        #expect(head.hasPrefix("head(status: 404, "))
        #expect(head.contains("text/plain"))
    }
}
