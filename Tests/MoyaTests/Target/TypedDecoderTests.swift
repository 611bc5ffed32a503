import Foundation
import Moya
import SwiftProtobuf
import Testing
import XMLCoder

@Suite("Typed targets can use decoders of other packages")
struct TypedDecoderTests {
    @Test("XMLCoder's decoder decodes outputs and error bodies of typed targets", arguments: TypedEntryPoint.allCases)
    func xml(entryPoint: TypedEntryPoint) async throws {
        let target = Ask<User>(makeDecoder: { XMLDecoder() })
        let user = try await entryPoint.request(target, stub: (200, "<user><login>a</login></user>")).get()
        #expect(user == User(login: "a"))
        let refused = await entryPoint.request(target, stub: (400, "<error><message>no</message></error>"))
        guard case .failure(.underlying(let failure as APIFailure, _)) = refused else {
            Issue.record("\(refused)")
            return
        }
        #expect(failure == APIFailure(message: "no"))
    }

    @Test("a key path of a typed target fails with UnsupportedKeyPath if the decoder has no key paths")
    func unsupportedKeyPath() async {
        let target = Ask<User>(outputKeyPath: "user", makeDecoder: { XMLDecoder() })
        let result = await TypedEntryPoint.async.request(target, stub: (200, "<user><login>a</login></user>"))
        guard case .failure(.objectMapping(let error as UnsupportedKeyPath, _)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(error.keyPath == "user")
    }

    @Test("a typed target returns a message type as its output in one line")
    func protobuf() async throws {
        struct GetText: AnyTypedTarget {
            var sampleData = Data()

            func output(from response: Response) throws -> Google_Protobuf_StringValue {
                try Google_Protobuf_StringValue(serializedBytes: response.data)
            }
        }
        let provider = MoyaProvider<GetText>(stubClosure: MoyaProvider.immediatelyStub)
        let message = Google_Protobuf_StringValue("hello")
        let answer = try await provider.request(GetText(sampleData: try message.serializedData()))
        #expect(answer == message)
        let error = await #expect(throws: MoyaError.self) {
            try await provider.request(GetText(sampleData: Data([0xFF]))) as Google_Protobuf_StringValue
        }
        #expect(error?.name == "objectMapping")
    }
}
