import Foundation
import Moya
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The texts of MoyaError show the request and the body")
struct MoyaErrorTextTests {
    private static func response(
        _ body: Data,
        contentType: String = "application/json",
        url: String = "https://api.example.com/users?id=1",
        authorization: String? = nil
    ) throws -> Response {
        let url = try #require(URL(string: url))
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.setValue(authorization, forHTTPHeaderField: "Authorization")
        let head = HTTPURLResponse(
            url: url,
            statusCode: 404,
            httpVersion: nil,
            headerFields: ["Content-Type": contentType]
        )
        return Response(statusCode: 404, data: body, request: request, response: head)
    }

    private static let head =
        "POST https://api.example.com/users?id=1 returned the status code 404, which is not accepted."

    private static let longText = String(repeating: "é", count: 200)

    /// Bodies, and the text after the sentence about the status.
    static let bodies: [(String, String)] = [
        (#"{"message":"Not Found"}"#, #" Body: {"message":"Not Found"}"#),
        ("  a\r\n\tb  ", " Body: a b"),
        ("", ""),
        (" \n", ""),
        ("PNG\u{0}\u{1}", ""),
        (longText, " Body: \(longText)"),
        (longText + "é", " Body: \(longText)…"),
        (String(repeating: longText, count: 5_000), " Body: \(longText)…"),
    ]

    @Test("the text of a refused status has method, URL, and the beginning of the body in one line", arguments: bodies)
    func refusal(_ body: String, _ end: String) throws {
        let error = MoyaError.statusCode(try Self.response(Data(body.utf8)))
        #expect(error.errorDescription == Self.head + end)
        let wrapped = MoyaError.underlying(error, error.response)
        #expect(wrapped.localizedDescription == Self.head + end)
    }

    @Test("secrets are masked in the text's URL and body, including the request's secrets that the server repeats")
    func secrets() throws {
        let error = MoyaError.statusCode(
            try Self.response(
                Data(#"{"access_token":"abcdefgh-1","note":"no user for Bearer s3cr3t-t0k3n-1234"}"#.utf8),
                url: "https://me:pass@api.example.com/users?api_key=k3y-k3y-k3y",
                authorization: "Bearer s3cr3t-t0k3n-1234"
            )
        )
        let text = error.localizedDescription
        for secret in ["abcdefgh-1", "s3cr3t-t0k3n-1234", "k3y-k3y-k3y", "pass"] { #expect(!text.contains(secret)) }
        #expect(text.contains("api.example.com/users?api_key=") && text.contains("no user for Bearer"))
    }

    @Test("a secret that the limit of a MoyaError's text truncates is masked", arguments: [1_990, 2_030, 2_040, 2_047])
    func cutSecret(_ length: Int) throws {
        let padding = String(repeating: " ", count: length - 16)
        let body = Data(#"{"a":1,\#(padding)"password":"0123456789abcdef0123456789abcdef"}"#.utf8)
        let text = MoyaError.statusCode(try Self.response(body)).localizedDescription
        #expect(!text.contains("0123"))
    }

    private struct User: Decodable {
        struct Address: Decodable { let city: String }
        let login: String
        let addresses: [Address]
        let created: Date
    }

    @Test(
        "the text of a body that cannot be decoded has the path and the value",
        arguments: [
            (#"{"addresses":[],"created":0}"#, "The value at login is missing: the object has addresses, created."),
            (#"{"login":7,"addresses":[],"created":0}"#, "The value at login is 7, and not of the type String."),
            (
                #"{"login":"a","addresses":[{"city":"b"},{}],"created":0}"#,
                "The value at addresses.1.city is missing: the object is empty."
            ),
            (#"{"login":null,"addresses":[],"created":0}"#, "The value at login is null."),
            (#"["#, "The data is not valid. Body: ["),
        ]
    )
    func decoding(_ body: String, _ end: String) throws {
        let response = try Self.response(Data(body.utf8))
        let error = #expect(throws: MoyaError.self) { try response.map(User.self) }
        let head = "POST https://api.example.com/users?id=1 (404, application/json): "
        #expect(error?.localizedDescription == head + "Failed to map data to a Decodable object. " + end)
    }

    @Test("status, timeout, cancellation and URLError are available for any error, wrapped or not")
    func accessors() throws {
        let response = try Self.response(Data())
        let status = MoyaError.underlying(MoyaError.statusCode(response), response)
        #expect(status.statusCode == 404 && status.urlError == nil && !status.isTimeout && !status.isCancelled)
        #expect(MoyaError.requestMapping("").statusCode == nil)
        let timeout = MoyaError.underlying(URLError(.timedOut), nil)
        #expect(timeout.isTimeout && !timeout.isCancelled && timeout.urlError?.code == .timedOut)
        let cancelled = MoyaError.underlying(MoyaError.underlying(URLError(.cancelled), nil), response)
        #expect(cancelled.isCancelled && !cancelled.isTimeout && cancelled.statusCode == 404)
        #expect(MoyaError.underlying(CancellationError(), nil).isCancelled)
    }
}
