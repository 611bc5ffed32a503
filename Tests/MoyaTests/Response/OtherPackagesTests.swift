import Foundation
import Moya
import SwiftProtobuf
import Testing
import XMLCoder

// Outside this package the conformance needs `@retroactive`.
extension XMLDecoder: ResponseDecoder {}

@Suite("Decoders of other packages decode responses")
struct OtherPackagesTests {
    @Suite("XMLCoder's decoder conforms to ResponseDecoder")
    struct XML {
        struct Note: Codable, Equatable {
            var from: String
            var lines: [String]
        }

        private static let note = """
            <?xml version="1.0" encoding="UTF-8"?>
            <note><from>Ä &amp; Co.</from><lines>one</lines><lines>two</lines></note>
            """

        private func response(_ body: String, statusCode: Int = 200) -> Response {
            Response(statusCode: statusCode, data: Data(body.utf8))
        }

        @Test("a decoder of another package with the usual method needs one line to decode a response")
        func decodes() throws {
            let note = try response(Self.note).map(Note.self, using: XMLDecoder())
            #expect(note == Note(from: "Ä & Co.", lines: ["one", "two"]))
        }

        @Test("the options of XMLCoder's decoder apply")
        func options() throws {
            let decoder = XMLDecoder()
            decoder.keyDecodingStrategy = .convertFromCapitalized
            let body = "<Note><From>a</From><Lines>b</Lines></Note>"
            #expect(try response(body).map(Note.self, using: decoder) == Note(from: "a", lines: ["b"]))
        }

        @Test(
            "a decoding failure of XMLCoder is .objectMapping with the decoder's error",
            arguments: ["<note><from>a</from", "{}", "", "<note><lines>a</lines></note>"]
        )
        func refuses(body: String) {
            let response = response(body)
            let error = #expect(throws: MoyaError.self) { try response.map(Note.self, using: XMLDecoder()) }
            guard case .objectMapping(let cause, let carried) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(carried === response)
            #expect(!(cause is MoyaError))
        }

        @Test("a key path is refused for XMLCoder's decoder, because this decoder does not support one")
        func keyPath() {
            let response = response(Self.note)
            let error = #expect(throws: MoyaError.self) {
                try response.map(String.self, atKeyPath: "from", using: XMLDecoder())
            }
            guard case .objectMapping(let cause as UnsupportedKeyPath, _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(cause.keyPath == "from")
            #expect(cause.decoder == "XMLDecoder")
        }

        @Test("an error's body is decoded by XMLCoder")
        func errorBody() throws {
            struct Refusal: Decodable, Error, Equatable { let reason: String }
            let response = response("<error><reason>closed</reason></error>", statusCode: 503)
            let error = #expect(throws: MoyaError.self) {
                try response.filterSuccessfulStatusCodes(orThrow: Refusal.self, using: XMLDecoder())
            }
            guard case .underlying(let refusal as Refusal, let carried) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(refusal == Refusal(reason: "closed"))
            #expect(carried === response)
        }
    }

    @Suite("SwiftProtobuf's messages decode themselves from responses")
    struct Protobuf {
        private let message = Google_Protobuf_Struct(fields: [
            "name": Google_Protobuf_Value(stringValue: "ash"),
            "ages": Google_Protobuf_Value(listValue: [1, 2]),
        ])

        @Test("a SwiftProtobuf message is decoded")
        func decodes() throws {
            let response = Response(statusCode: 200, data: try message.serializedData())
            let decoded = try response.map { try Google_Protobuf_Struct(serializedBytes: $0) }
            #expect(decoded == message)
        }

        @Test("a SwiftProtobuf message in JSON is decoded")
        func decodesJSON() throws {
            let response = Response(statusCode: 200, data: try message.jsonUTF8Data())
            #expect(try response.map { try Google_Protobuf_Struct(jsonUTF8Data: $0) } == message)
        }

        @Test("invalid bytes of a SwiftProtobuf message cause .objectMapping with the library's error")
        func refuses() throws {
            let whole = try message.serializedData()
            let response = Response(statusCode: 200, data: whole.dropLast())
            let error = #expect(throws: MoyaError.self) {
                try response.map { try Google_Protobuf_Struct(serializedBytes: $0) }
            }
            guard case .objectMapping(let cause, let carried) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(cause is BinaryDecodingError || cause is SwiftProtobufError)
            #expect(carried === response)
        }
    }

    @Test("a provider decodes a stub's body as a SwiftProtobuf message")
    func throughProvider() async throws {
        let provider = MoyaProvider<SomeTarget>(
            endpointClosure: {
                let body = Data("<user><name>ash</name></user>".utf8)
                let target = $0
                return Endpoint(
                    url: URL(target: target).absoluteString,
                    sampleResponseClosure: { .networkResponse(200, body) },
                    method: target.method,
                    task: target.task
                )
            },
            stubClosure: MoyaProvider.immediatelyStub
        )
        struct User: Decodable, Equatable { let name: String }
        let user = try await provider.request(SomeTarget()).map(User.self, using: XMLDecoder())
        #expect(user == User(name: "ash"))
    }
}
