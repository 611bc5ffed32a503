import Foundation
import Moya
import Testing

@testable import signed_uploads

@Suite("The signed uploads, a program for an earlier version of Moya, work")
struct SignedUploadsTests {
    private let signer = RequestSigner(key: "app", secret: "secret")

    @Test("a run of the signed uploads prints the plugin's events and the stubs' responses")
    func run() {
        var lines: [String] = []
        Uploader(signer: signer, stubClosure: MoyaProvider.immediatelyStub, print: { lines.append($0) }).run()
        let signature = signer.signature(of: ["text=sea", "key=app"])
        #expect(
            lines == [
                "photos: photo.jpg, caption", "200",
                "albums/2026/photos: photo.jpg", "200",
                "search: key=app&signature=\(signature)&text=sea", "200",
                "limits: no query", "200",
            ]
        )
    }

    /// Responds with the request's body, without a network.
    private struct Echo: HTTPTransport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            var body = Data()
            if let reader = try request.body?.open() {
                while let chunk = try await reader.next() { body += chunk }
            }
            return TransportResponse(status: 200, body: .complete(body))
        }

        func shutdown() async {}
    }

    private func sent(_ target: PhotoService) async throws -> (url: String, body: String, headers: [String: String]) {
        let uploader = Uploader(signer: signer, session: Session(transport: Echo()), print: { _ in })
        let response = try await uploader.provider.request(target)
        let request = try #require(response.request)
        return (
            request.url?.absoluteString ?? "", String(decoding: response.data, as: UTF8.self),
            request.allHTTPHeaderFields ?? [:]
        )
    }

    /// Returns the text of a form's part.
    private func part(_ name: String, _ text: String) -> String {
        return "Content-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(text)\r\n"
    }

    @Test("the key and the signature of a signed upload are parts of the form")
    func form() async throws {
        let sent = try await self.sent(.upload(photo: Data("jpg".utf8), caption: "The sea"))
        #expect(sent.headers["Content-Type"]?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(sent.body.components(separatedBy: "Content-Disposition").count == 5)
        #expect(sent.body.contains("name=\"photo\"; filename=\"photo.jpg\"\r\nContent-Type: image/jpeg\r\n\r\njpg\r\n"))
        #expect(sent.body.contains(part("caption", "The sea")))
        #expect(sent.body.contains(part("key", "app")))
        #expect(sent.body.contains(part("signature", signer.signature(of: ["caption=The sea", "key=app"]))))
    }

    @Test("a form and a query of one signed upload are signed separately")
    func composite() async throws {
        let sent = try await self.sent(.add(photo: Data("jpg".utf8), album: "2026"))
        let query = "key=app&notify=1&signature=\(signer.signature(of: ["notify=true", "key=app"]))"
        #expect(sent.url == "https://photos.example.com/albums/2026/photos?\(query)")
        #expect(sent.body.contains(part("signature", signer.signature(of: ["key=app"]))))
    }

    @Test("a signed upload without parameters and parts sends the key in a header")
    func plain() async throws {
        #expect(try await sent(.limits).headers["X-Key"] == "app")
    }
}
