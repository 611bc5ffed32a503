import Foundation
import HTTPTypes
import Testing

@testable import MoyaHTTP

@Suite("A download is continued with conditional ranges (RFC 9110, 13 to 15)")
struct DownloadResumptionTests {
    static func entity(
        tag: String? = "\"v1\"",
        date: String? = nil,
        total: Int64? = 1000
    ) -> DownloadEntity {
        DownloadEntity(url: "http://h/f", entityTag: tag, lastModified: date, totalLength: total)
    }

    @Test("the rest of a download is requested with a range, a condition and no coding (14.2, 13.1.5, 12.5.3)")
    func headers() {
        let byTag = DownloadResumption(entity: Self.entity(), offset: 300)
        #expect(byTag.headers == [.range: "bytes=300-", .ifRange: "\"v1\"", .acceptEncoding: "identity"])
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        let byDate = DownloadResumption(entity: Self.entity(tag: nil, date: date), offset: 9_000_000_000)
        #expect(byDate.headers == [.range: "bytes=9000000000-", .ifRange: date, .acceptEncoding: "identity"])
    }

    static let nextSteps: [(Int64, Int64?, DownloadResumption.NextStep)] = [
        (0, 1000, .write), (0, nil, .write), (0, 0, .write), (1, 1000, .requestRest), (999, 1000, .requestRest),
        (500, nil, .requestRest), (1000, 1000, .complete), (1001, 1000, .write), (-1, 1000, .write), (1, 0, .write),
    ]

    @Test("the existing bytes of a download decide about the first response", arguments: nextSteps)
    func nextStep(_ offset: Int64, total: Int64?, step: DownloadResumption.NextStep) {
        #expect(DownloadResumption(entity: Self.entity(total: total), offset: offset).nextStep == step)
    }

    @Test("no download is continued without a validator")
    func noValidator() {
        #expect(DownloadResumption(entity: Self.entity(tag: nil), offset: 10).nextStep == .write)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let section: String
        let status: Int
        let headers: HTTPFields
        let action: DownloadResumption.Action
        var entity = DownloadResumptionTests.entity()
        var offset: Int64 = 300

        init(
            _ section: String,
            _ status: Int,
            _ headers: HTTPFields,
            _ action: DownloadResumption.Action,
            entity: DownloadEntity = DownloadResumptionTests.entity(),
            offset: Int64 = 300,
            hasTag: Bool = true
        ) {
            var headers = headers
            // A 206 has the tag of the 200.
            if status == 206, hasTag, headers[.eTag] == nil { headers[.eTag] = entity.entityTag }
            (self.section, self.status, self.headers, self.action) = (section, status, headers, action)
            (self.entity, self.offset) = (entity, offset)
        }

        var testDescription: String { "\(section): \(status) \(headers)" }
    }

    private static let dated = entity(tag: nil, date: "Sun, 06 Nov 1994 08:49:37 GMT")

    static let answers: [Row] =
        [
            // The response has all or some of the next bytes.
            Row("15.3.7.1", 206, [.contentRange: "bytes 300-999/1000"], .append(length: 700)),
            Row("15.3.7.1", 206, [.contentRange: "bytes 300-999/1000", .eTag: "\"v1\""], .append(length: 700)),
            Row("15.3.7", 206, [.contentRange: "bytes 300-399/1000"], .append(length: 100)),
            Row("14.4", 206, [.contentRange: "bytes 300-999/*"], .append(length: 700)),
            Row("14.4", 206, [.contentRange: "bytes 300-999/1000"], .append(length: 700), entity: entity(total: nil)),
            Row("14.4", 206, [.contentRange: "bytes 300-999/*"], .append(length: 700), entity: entity(total: nil)),
            Row("8.6", 206, [.contentRange: "bytes 300-999/1000", .contentLength: "700"], .append(length: 700)),
            Row(
                "8.4.1",
                206,
                [.contentRange: "bytes 300-999/1000", .contentEncoding: "identity"],
                .append(length: 700)
            ),
            Row(
                "15.3.7",
                206,
                [.contentRange: "bytes 300-999/1000", .lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"],
                .append(length: 700),
                entity: dated
            ),
            // The date need not be repeated.
            Row("15.3.7", 206, [.contentRange: "bytes 300-999/1000"], .append(length: 700), entity: dated),
            Row(
                "15.3.7",
                206,
                [.contentRange: "bytes 300-999/1000", .eTag: "\"v1\""],
                .append(length: 700),
                entity: dated
            ),
            // The tag must be repeated.
            Row("15.3.7", 206, [.contentRange: "bytes 300-999/1000"], .requestAgain, hasTag: false),
            Row("15.3.7", 206, [.contentRange: "bytes 300-999/1000", .eTag: ""], .requestAgain),
            Row("15.3.7", 206, [.contentRange: "bytes 300-999/1000", .eTag: "v1"], .requestAgain),
            // With an entity tag the condition does not contain the date.
            Row(
                "13.1.5",
                206,
                [.contentRange: "bytes 300-999/1000", .lastModified: "Mon, 07 Nov 1994 08:49:37 GMT"],
                .append(length: 700)
            ),
            // The response has other bytes, or bytes of another entity.
            Row("14.4", 206, [:], .requestAgain),
            Row("14.4", 206, [.contentRange: "nonsense"], .requestAgain),
            Row("14.4", 206, [.contentRange: "bytes */1000"], .requestAgain),
            Row("14.4", 206, [.contentRange: "bytes 299-999/1000"], .requestAgain),
            Row("14.4", 206, [.contentRange: "bytes 301-999/1000"], .requestAgain),
            Row("14.4", 206, [.contentRange: "bytes 0-999/1000"], .requestAgain),
            Row("14.4", 206, [.contentRange: "bytes 300-1000/1001"], .requestAgain),
            Row("14.4", 206, [.contentRange: "bytes 300-998/999"], .requestAgain),
            Row("14.4", 206, [.contentRange: "bytes 300-1000/*"], .requestAgain),
            Row("14.4", 206, [.contentRange: "bytes 300-99999999999999999999/*"], .requestAgain),
            Row("14.4", 206, [.contentRange: "items 300-999/1000"], .requestAgain),
            Row("8.8.3", 206, [.contentRange: "bytes 300-999/1000", .eTag: "\"v2\""], .requestAgain),
            Row("8.8.3", 206, [.contentRange: "bytes 300-999/1000", .eTag: "W/\"v1\""], .requestAgain),
            Row(
                "8.8.2",
                206,
                [.contentRange: "bytes 300-999/1000", .lastModified: "Mon, 07 Nov 1994 08:49:37 GMT"],
                .requestAgain,
                entity: dated
            ),
            Row("8.6", 206, [.contentRange: "bytes 300-999/1000", .contentLength: "701"], .requestAgain),
            Row("8.6", 206, [.contentRange: "bytes 300-999/1000", .contentLength: "-1"], .requestAgain),
            Row("8.4", 206, [.contentRange: "bytes 300-999/1000", .contentEncoding: "gzip"], .requestAgain),
            Row("14.6", 206, [.contentType: "multipart/byteranges; boundary=x"], .requestAgain),
            Row(
                "14.6",
                206,
                [.contentType: "Multipart/ByteRanges; boundary=x", .contentRange: "bytes 300-999/1000"],
                .requestAgain
            ),
            // The response has the whole file: the condition is false, or the server does not support ranges.
            Row("13.1.5", 200, [.eTag: "\"v2\""], .startOver),
            Row("14.2", 200, [:], .startOver),
            Row("14.2", 200, [.contentRange: "bytes 300-999/1000"], .startOver),
            // There are no bytes after the existing ones.
            Row("15.5.17", 416, [.contentRange: "bytes */1000"], .complete, offset: 1000),
            Row("15.5.17", 416, [.contentRange: "bytes */1000"], .requestAgain),
            Row("15.5.17", 416, [.contentRange: "bytes */300"], .requestAgain),
            Row("15.5.17", 416, [.contentRange: "bytes */300"], .requestAgain, entity: entity(total: nil)),
            Row("15.5.17", 416, [.contentRange: "bytes */999"], .requestAgain, offset: 1000),
            Row("15.5.17", 416, [.contentRange: "bytes 0-999/1000"], .requestAgain, offset: 1000),
            Row("15.5.17", 416, [.contentRange: "bytes */*"], .requestAgain, offset: 1000),
            Row("15.5.17", 416, [:], .requestAgain),
        ]
        + [
            100, 199, 201, 202, 204, 205, 226, 301, 302, 304, 307, 400, 401, 403, 404, 412, 429, 500, 502, 503, 0, -1,
            999,
        ].map {
            Row("15", $0, [.contentRange: "bytes 300-999/1000"], .passThrough)
        }

    @Test("each response to a request for the rest of a download causes one action", arguments: answers)
    func action(_ row: Row) {
        let resumption = DownloadResumption(entity: row.entity, offset: row.offset)
        #expect(resumption.action(for: ResponseHead(status: row.status, headers: row.headers)) == row.action)
    }
}
