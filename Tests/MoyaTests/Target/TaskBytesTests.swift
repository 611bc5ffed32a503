import Foundation
import Moya
import Testing

@Suite("Each task sends the expected bytes")
struct TaskBytesTests {
    private struct Pair: Encodable {
        var fullName = "a b"
    }

    private static let json = "content-type: application/json"
    private static let form = "content-type: application/x-www-form-urlencoded; charset=utf-8"

    private static let snakeCase: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return encoder
    }()

    private static let onePart = "--B\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\nv\r\n--B--\r\n"

    private static let oneForm = [MultipartFormData(provider: .data(Data("v".utf8)), name: "n")]

    static let rows = [
        TaskRow("requestPlain") { _ in .requestPlain },
        TaskRow("requestPlain", .get, headers: ["A": "b"], baseQuery: "?k=1", query: "?k=1", sent: ["a: b"]) { _ in
            .requestPlain
        },
        TaskRow("requestData", body: "a\r\n\0b") { _ in .requestData(Data("a\r\n\0b".utf8)) },
        TaskRow("requestData, empty", body: "") { _ in .requestData(Data()) },
        TaskRow("requestJSONEncodable", sent: [json], body: #"{"fullName":"a b"}"#) { _ in
            .requestJSONEncodable(Pair())
        },
        TaskRow(
            "requestJSONEncodable with a type of the target's",
            headers: ["content-type": "application/x"],
            sent: ["content-type: application/x"],
            body: #"{"fullName":"a b"}"#
        ) { _ in .requestJSONEncodable(Pair()) },
        TaskRow("requestCustomJSONEncodable", sent: [json], body: #"{"full_name":"a b"}"#) { _ in
            .requestCustomJSONEncodable(Pair(), encoder: snakeCase)
        },
        TaskRow("requestParameters", .get, baseQuery: "?k=1", query: "?k=1&a=b%20c") { _ in
            .requestParameters(parameters: ["a": "b c"], encoding: URLEncoding.default)
        },
        TaskRow("requestCompositeData", baseQuery: "?k=1", query: "?k=1&a=1", body: "x") { _ in
            .requestCompositeData(bodyData: Data("x".utf8), urlParameters: ["a": 1])
        },
        TaskRow("requestCompositeParameters", query: "?a=1", sent: [form], body: "b=2") { _ in
            .requestCompositeParameters(
                bodyParameters: ["b": 2],
                bodyEncoding: URLEncoding.httpBody,
                urlParameters: ["a": 1]
            )
        },
        TaskRow("requestCompositeParameters in JSON", query: "?a=1", sent: [json], body: #"{"b":2}"#) { _ in
            .requestCompositeParameters(
                bodyParameters: ["b": 2],
                bodyEncoding: JSONEncoding.default,
                urlParameters: ["a": 1]
            )
        },
        TaskRow("uploadFile", .put, body: "content", isStreamed: true) { folder in
            .uploadFile(try folder.write("content", to: "file.txt"))
        },
        TaskRow("uploadFile, empty", body: "", isStreamed: true) { folder in
            .uploadFile(try folder.write("", to: "file.txt"))
        },
        TaskRow(
            "uploadMultipart with a boundary",
            sent: ["content-type: multipart/form-data; boundary=B"],
            body: onePart
        ) { _ in .uploadMultipart(oneForm, boundary: "B") },
        TaskRow(
            "uploadMultipart with a boundary and a query",
            .patch,
            query: "?a=1",
            sent: ["content-type: multipart/form-data; boundary=B"],
            body: onePart
        ) { _ in .uploadMultipart(oneForm, boundary: "B").adding(query: ["a": 1]) },
        TaskRow("downloadDestination", .get) { folder in .downloadDestination(TaskRow.destination(folder)) },
        TaskRow("downloadParameters", .get, query: "?a=1") { folder in
            .downloadParameters(
                parameters: ["a": 1],
                encoding: URLEncoding.default,
                destination: TaskRow.destination(folder)
            )
        },
        TaskRow("downloadParameters in a body", sent: [form], body: "a=1") { folder in
            .downloadParameters(
                parameters: ["a": 1],
                encoding: URLEncoding.default,
                destination: TaskRow.destination(folder)
            )
        },
    ]

    @Test(
        "facts 12 to 19: every task without a random boundary sends the expected bytes",
        arguments: rows,
        TransportKind.allCases
    )
    func bytes(row: TaskRow, kind: TransportKind) async throws { try await row.expectBytes(on: kind) }

    @Test(
        "facts 13, 17, 56: the tasks with forms send the form with a random boundary",
        arguments: TransportKind.allCases
    )
    func forms(kind: TransportKind) async throws {
        let rows = [
            (HTTPTask.uploadMultipart(Self.oneForm), ""),
            (HTTPTask.uploadCompositeMultipart(Self.oneForm, urlParameters: ["a": 1]), "?a=1"),
        ]
        let server = try await EchoServer(kind)
        for (task, query) in rows {
            for entryPoint in EntryPoint.allCases {
                let sent = try await server.sent(task, through: entryPoint)
                let boundary = try #require(sent.boundary, "\(sent)")
                let digits = boundary.dropFirst("moya.boundary.".count)
                #expect(boundary.hasPrefix("moya.boundary."))
                #expect(digits.count == 16 && digits.allSatisfy { "0123456789abcdef".contains($0) }, "\(boundary)")
                let body = Self.onePart.replacingOccurrences(of: "--B", with: "--\(boundary)")
                let headers = ["content-type: multipart/form-data; boundary=\(boundary)"]
                #expect(
                    sent
                        == SentRequest(
                            line: "POST /echoes\(query) HTTP/1.1",
                            headers: headers + ["content-length: \(body.utf8.count)"],
                            body: Data(body.utf8)
                        )
                )
            }
        }
        try await server.shutDown()
    }
}
