import Foundation
import Moya
import TestSupport
import Testing

@Suite("A target's validation type accepts status codes")
struct ValidationTypeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let type: ValidationType
        let accepted: Set<Int>
        var testDescription: String { "\(type)" }
    }

    static let rows = [
        Row(type: .none, accepted: Set(100...599)),
        Row(type: .successCodes, accepted: Set(200...299)),
        Row(type: .successAndRedirectCodes, accepted: Set(200...399)),
        Row(type: .customCodes([]), accepted: Set(100...599)),
        Row(type: .customCodes([200]), accepted: [200]),
        Row(type: .customCodes([100, 304, 418, 599]), accepted: [100, 304, 418, 599]),
        Row(type: .customCodes([404, 404, -1, 1000]), accepted: [404]),
    ]

    /// Expects a success for the codes in the row, and for others a failure with the response.
    private func check(_ row: Row, entryPoint: EntryPoint, provider: MoyaProvider<SomeTarget>) async {
        for code in 100...599 {
            let target = SomeTarget(path: "/\(code)", validationType: row.type)
            let result = await entryPoint.request(target, from: provider)
            if row.accepted.contains(code) {
                #expect(result.response?.statusCode == code)
                continue
            }
            guard case .failure(.underlying(MoyaError.statusCode(let inner), let outer)) = result else {
                Issue.record("\(code): \(result)")
                continue
            }
            #expect(inner.statusCode == code)
            #expect(inner === outer)
            #expect(inner.data == Data("body".utf8))
        }
    }

    @Test("fact 96: a live request accepts the status codes of its validation", arguments: rows, EntryPoint.allCases)
    func live(row: Row, entryPoint: EntryPoint) async {
        let provider = MoyaProvider<SomeTarget>(
            session: Session(
                FakeTransport {
                    TransportResponse(
                        status: Int($0.url.lastPathComponent) ?? 0,
                        body: .complete(Data("body".utf8))
                    )
                }
            )
        )
        await check(row, entryPoint: entryPoint, provider: provider)
    }

    @Test("fact 96: a stub accepts the status codes of its validation", arguments: rows, EntryPoint.allCases)
    func stub(row: Row, entryPoint: EntryPoint) async {
        let provider = MoyaProvider<SomeTarget>(
            endpointClosure: { target in
                Endpoint(
                    url: URL(target: target).absoluteString,
                    sampleResponseClosure: {
                        .networkResponse(Int(target.path.dropFirst()) ?? 0, Data("body".utf8))
                    },
                    method: target.method,
                    task: target.task,
                    httpHeaderFields: target.headers
                )
            },
            stubClosure: MoyaProvider.immediatelyStub
        )
        await check(row, entryPoint: entryPoint, provider: provider)
    }

    @Test("fact 96: a target without a validation type is not validated")
    func usual() {
        struct Plain: TargetType {
            var baseURL: URL { URL(fileURLWithPath: "/") }
            var path: String { "" }
            var method: Moya.Method { .get }
            var task: HTTPTask { .requestPlain }
            var headers: [String: String]? { nil }
        }
        #expect(Plain().validationType == .none)
    }

    @Test(
        "fact 97: validation ignores the content type of a response",
        arguments: [nil, "text/html", "nonsense"],
        EntryPoint.allCases
    )
    func contentType(type: String?, entryPoint: EntryPoint) async {
        let provider = MoyaProvider<SomeTarget>(
            session: Session(
                FakeTransport { _ in
                    TransportResponse(
                        status: 200,
                        headers: type.map { [.contentType: $0] } ?? [:],
                        body: .complete(Data("<p>".utf8))
                    )
                }
            )
        )
        let target = SomeTarget(validationType: .successCodes, headers: ["Accept": "application/json"])
        #expect(await entryPoint.request(target, from: provider).response?.statusCode == 200)
    }

    @Test("fact 99: validation types are equal by case and payload")
    func equality() {
        let types: [ValidationType] = [
            .none, .successCodes, .successAndRedirectCodes, .customCodes([]), .customCodes([1]), .customCodes([1, 2]),
            .customCodes([2, 1]), .customCodes(Array(200..<300)),
        ]
        for (index, type) in types.enumerated() {
            for (otherIndex, other) in types.enumerated() {
                #expect((type == other) == (index == otherIndex), "\(type) \(other)")
            }
        }
        #expect(ValidationType.customCodes([1, 2]) == .customCodes([1, 2]))
    }
}
