import Foundation
import Moya
import MoyaHTTP
import Testing

@Suite("Requests of typed targets fail with specific errors")
struct TypedErrorTests {
    @Test("the refused status of a typed target fails with the response", arguments: TypedEntryPoint.allCases)
    func refused(entryPoint: TypedEntryPoint) async {
        let result = await entryPoint.request(GetUser(name: "a"), stub: (404, #"{"login":"ashfurrow"}"#))
        guard case .failure(.underlying(MoyaError.statusCode(let response), let same?)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(response === same)
        #expect(response.statusCode == 404)
        // A target without an ErrorBody does not decode one.
        #expect(result.failure?.localizedDescription.contains("decode") == false)
    }

    @Test(
        "the body of a typed target that does not decode causes .objectMapping with the response",
        arguments: TypedEntryPoint.allCases
    )
    func notDecoded(entryPoint: TypedEntryPoint) async {
        for body in ["", "null", "{}", #"{"login":1}"#, "<html>"] {
            let result = await entryPoint.request(GetUser(name: "a"), stub: (200, body))
            guard case .failure(.objectMapping(let error, let response)) = result else {
                Issue.record("\(body): \(result)")
                continue
            }
            #expect(error is DecodingError)
            #expect(response.data == Data(body.utf8))
        }
    }

    @Test("the body of a refused response becomes the typed target's error", arguments: TypedEntryPoint.allCases)
    func errorBody(entryPoint: TypedEntryPoint) async {
        let rows: [(Ask<User>, body: String)] = [
            (Ask(), #"{"message":"no"}"#), (Ask(errorBodyKeyPath: "error"), #"{"error":{"message":"no"}}"#),
            (Ask(outputKeyPath: "user"), #"{"message":"no"}"#),
        ]
        for (target, body) in rows {
            let result = await entryPoint.request(target, stub: (422, body))
            guard case .failure(.underlying(let failure as APIFailure, let response?)) = result else {
                Issue.record("\(body): \(result)")
                continue
            }
            #expect(failure == APIFailure(message: "no"))
            #expect(response.statusCode == 422)
        }
    }

    @Test("an error body that does not decode leaves .statusCode, and an accepted status has no error body")
    func noErrorBody() async {
        for body in ["", "<html>", "{}"] {
            let result = await TypedEntryPoint.async.request(Ask<User>(), stub: (422, body))
            guard case .failure(.underlying(MoyaError.statusCode, _)) = result else {
                Issue.record("\(body): \(result)")
                continue
            }
            #expect(result.failure?.localizedDescription.contains("does not decode as APIFailure.") == true)
        }
        let accepted = await TypedEntryPoint.async.request(
            Ask<User>(validationType: .customCodes([422])),
            stub: (422, #"{"message":"no"}"#)
        )
        #expect(accepted.failure?.name == "objectMapping")
        // 201 is not accepted here, but no status from 200 to 299 has an error body.
        let created = await TypedEntryPoint.async.request(
            Ask<User>(validationType: .customCodes([200])),
            stub: (201, #"{"message":"no"}"#)
        )
        guard case .failure(.underlying(MoyaError.statusCode, _)) = created else {
            Issue.record("\(created)")
            return
        }
    }

    @Test("orThrow decodes with the typed target's decoder unless another decoder is given")
    func decoderOfTarget() async {
        struct Coded: Decodable, Error { var errorCode: Int }
        let target = Ask<User>(makeDecoder: {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoder
        })
        let stub = (status: 422, body: #"{"error_code":7}"#)
        let own = await #expect(throws: MoyaError.self) {
            try await provider(of: Ask<User>.self, stub: stub).request(target, orThrow: Coded.self)
        }
        let wrapped = await #expect(throws: MoyaError.self) {
            try await provider(of: MultiTarget.self, stub: stub)
                .request(MultiTarget(MultiTarget(target)), orThrow: Coded.self)
        }
        for error in [own, wrapped] {
            guard case .underlying(let failure as Coded, _) = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(failure.errorCode == 7)
        }
        let plain = await #expect(throws: MoyaError.self) {
            try await provider(of: Ask<User>.self, stub: stub)
                .request(target, orThrow: Coded.self, using: JSONDecoder())
        }
        #expect(
            plain?.localizedDescription.contains("The value at errorCode is missing: the object has error_code.")
                == true
        )
    }

    @Test("other failures of a typed target stay unchanged", arguments: TypedEntryPoint.allCases)
    func otherFailures(entryPoint: TypedEntryPoint) async {
        var target = Ask<User>()
        target.baseURL = URL(fileURLWithPath: "/nothing")
        let result = await entryPoint.request(target, stub: nil)
        guard case .failure(.underlying(let mistake as RequestValidationError, nil)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(mistake.localizedDescription.contains("Ask<User>: `baseURL`"))
    }

    @Test("a MoyaError that a custom output throws stays unchanged")
    func ownError() async {
        struct Words: AnyTypedTarget {
            func output(from response: Response) throws -> String { throw MoyaError.imageMapping(response) }
        }
        let failed = await TypedEntryPoint.callback.request(Words(), stub: (200, ""))
        #expect(failed.failure?.name == "imageMapping")
    }
}
