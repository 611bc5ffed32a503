import Moya
import MoyaTesting
import Testing

@testable import Hiking

struct HikingTests {
    private let transport = ScriptedTransport()

    private func provider<Target: TargetType>(for type: Target.Type) -> MoyaProvider<Target> {
        MoyaProvider(session: Session(transport: transport), plugins: [TrailsCredentials.token { "token" }])
    }

    @Test("the example of the document is the sample, and decodes")
    func sample() throws {
        let trails = try JSONDecoder.trails.decode([Trail].self, from: Trails.list().sampleData)

        #expect(trails.map(\.name) == ["Ridge Path"])
        #expect(trails.first?.difficulty == .moderate)
        #expect(trails.first?.openedOn == CalendarDate(year: 2019, month: 5, day: 4))
        #expect(trails.first?.closedUntil == nil)
    }

    @Test("a request has the query of the document, and the token")
    func list() async throws {
        transport.on(.get, "/v1/trails", .text("[]", type: "application/json"))

        let response = try await provider(for: Trails.self).request(
            .list(difficulty: .hard, regions: ["alps", "jura"], length: Length(max: 20.5), perPage: 5)
        )

        #expect(try response.map([Trail].self, using: JSONDecoder.trails).isEmpty)
        let request = try #require(transport.requests.first)
        #expect(request.query["difficulty"] == "hard")
        #expect(request.query["regions"] == "alps,jura")
        #expect(request.query["length[max]"] == "20.5")
        #expect(request.query["per_page"] == "5")
        #expect(request.headers[.authorization] == "Bearer token")
    }

    @Test("a form has a part for each value, and none for those that are nil")
    func report() async throws {
        transport.on(.post, "/v1/trails/7/reports", .status(202))

        _ = try await provider(for: Reports.self).request(.create(trailID: 7, text: "A tree has fallen.", rating: 3))

        let body = try #require(transport.requests.first?.text)
        #expect(body.contains("name=\"text\"\r\n\r\nA tree has fallen."))
        #expect(body.contains("name=\"rating\"\r\n\r\n3"))
        #expect(!body.contains("photo"))
    }

    @Test("null removes a value at the server, and nil is not sent")
    func change() throws {
        let removed = try JSONEncoder.trails.encode(TrailChange(closedUntil: .null))
        #expect(String(decoding: removed, as: UTF8.self) == "{\"closed_until\":null}")
        #expect(try JSONEncoder.trails.encode(TrailChange()) == Data("{}".utf8))
    }

    @Test("a value that the document does not list is kept")
    func unknownValue() throws {
        let json = #"{"id": 1, "name": "Abyss", "length": 2, "difficulty": "extreme"}"#
        let trail = try JSONDecoder.trails.decode(Trail.self, from: Data(json.utf8))
        #expect(trail.difficulty == Difficulty(rawValue: "extreme"))
    }
}
