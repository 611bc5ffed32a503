import Foundation
import Moya
import MoyaHTTP
import Testing

@Suite("What requests of typed targets fail with")
struct TypedErrorTests {
    @Test("a status that is refused fails with the response", arguments: TypedEntryPoint.allCases)
    func refused(entryPoint: TypedEntryPoint) async {
        let result = await entryPoint.request(GetUser(name: "a"), stub: (404, #"{"login":"ashfurrow"}"#))
        guard case .failure(.underlying(MoyaError.statusCode(let response), let same?)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(response === same)
        #expect(response.statusCode == 404)
    }

    @Test("a body that doesn't decode is .objectMapping with the response", arguments: TypedEntryPoint.allCases)
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

    @Test("a refused response's body is the target's error", arguments: TypedEntryPoint.allCases)
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

    @Test("an error's body that doesn't decode leaves .statusCode, and an accepted status has no error's body")
    func noErrorBody() async {
        for body in ["", "<html>", "{}"] {
            let result = await TypedEntryPoint.async.request(Ask<User>(), stub: (422, body))
            guard case .failure(.underlying(MoyaError.statusCode, _)) = result else {
                Issue.record("\(body): \(result)")
                continue
            }
        }
        let accepted = await TypedEntryPoint.async.request(
            Ask<User>(validationType: .customCodes([422])),
            stub: (422, #"{"message":"no"}"#)
        )
        #expect(accepted.failure?.name == "objectMapping")
        // 201 is not among the codes, but no error either.
        let created = await TypedEntryPoint.async.request(
            Ask<User>(validationType: .customCodes([200])),
            stub: (201, #"{"message":"no"}"#)
        )
        guard case .failure(.underlying(MoyaError.statusCode, _)) = created else {
            Issue.record("\(created)")
            return
        }
    }

    @Test("other failures stay as they are", arguments: TypedEntryPoint.allCases)
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

    @Test("a MoyaError that an answer of its own throws stays as it is")
    func ownError() async {
        struct Words: AnyTypedTarget {
            func output(from response: Response) throws -> String { throw MoyaError.imageMapping(response) }
        }
        let failed = await TypedEntryPoint.callback.request(Words(), stub: (200, ""))
        #expect(failed.failure?.name == "imageMapping")
    }
}
