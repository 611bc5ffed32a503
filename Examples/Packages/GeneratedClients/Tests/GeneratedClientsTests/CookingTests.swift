import MoyaMacros
import MoyaTesting
import Testing

@testable import Cooking

struct CookingTests {
    private let transport = ScriptedTransport()
    private var client: KitchenClient {
        KitchenClient(
            session: Session(transport: transport),
            plugins: [KitchenCredentials.key { "key" }]
        )
    }

    private static let bread = """
        {"id": "bread", "title": "Bread", "ingredients": [{"name": "flour", "amount": 2.5}, {"name": "salt", "amount": "a pinch"}],
         "steps": [
             {"kind": "mix", "ingredients": ["flour", "salt"]}, {"kind": "heat", "celsius": 220, "minutes": 45},
             {"kind": "rest", "until": "2026-05-04T18:30:00Z"}, {"kind": "flambé", "rum": true}
         ]}
        """

    @Test("a recipe decodes with its unions, has the version of its header, and encodes to the same value")
    func recipe() async throws {
        transport.on(.get, "/v2/recipes/bread", .text(Self.bread, type: "application/json").header("ETag", "v3"))

        let result = try await client.recipe(id: "bread")

        #expect(result.headers["ETag"] == "v3")
        let recipe = result.value
        #expect(recipe.ingredients.map(\.amount) == [.number(2.5), .string("a pinch")])
        #expect(recipe.steps[0] == .mix(Mix(ingredients: ["flour", "salt"])))
        #expect(recipe.steps[1] == .heat(Heat(celsius: 220, minutes: 45)))
        #expect(recipe.steps[2] == .rest(Rest(until: Date(timeIntervalSince1970: 1_777_919_400))))
        #expect(recipe.steps[3] == .unknown(["kind": "flambé", "rum": true]))
        let encoded = try JSONEncoder.kitchen.encode(recipe)
        #expect(try JSONDecoder.kitchen.decode(Recipe.self, from: encoded) == recipe)
        let key = try #require(HTTPField.Name("X-Kitchen-Key"))
        #expect(transport.requests.first?.headers[key] == "key")
    }

    @Test("a date keeps its milliseconds, and a date without them has none")
    func milliseconds() throws {
        for number in 0..<1000 {
            let digits = String(number + 1000).dropFirst()
            let text = number == 0 ? "\"2019-09-15T02:06:58Z\"" : "\"2019-09-15T02:06:58.\(digits)Z\""
            let date = try JSONDecoder.kitchen.decode(Date.self, from: Data(text.utf8))
            #expect(String(decoding: try JSONEncoder.kitchen.encode(date), as: UTF8.self) == text)
        }
    }

    @Test("the pages of a list are one sequence")
    func pages() async throws {
        transport.on(
            .get,
            "/v2/recipes",
            .text("{\"items\": [\(Self.bread)], \"next_cursor\": \"c2\"}", type: "application/json"),
            .text("{\"items\": [\(Self.bread)], \"next_cursor\": null}", type: "application/json")
        )

        var titles: [String] = []
        for try await recipe in try await client.listRecipes(diet: .glutenFree) { titles.append(recipe.title) }

        #expect(titles == ["Bread", "Bread"])
        #expect(transport.requests.map { $0.query["cursor"] } == [nil, "c2"])
        #expect(transport.requests.map { $0.query["diet"] } == ["gluten-free", "gluten-free"])
    }

    @Test("events are values until the last event")
    func cooking() async throws {
        let events = """
            data: {"step": {"kind": "heat", "celsius": 220, "minutes": 45}}

            data: {"warning": "The oven is hot."}

            data: [DONE]


            """
        transport.on(.post, "/v2/recipes/bread/cook", .text(events, type: "text/event-stream"))

        var found: [CookingEvent] = []
        for try await event in try await client.cook(id: "bread", body: CookBody(servings: 4)) { found.append(event) }

        #expect(
            found == [
                .begin(.init(step: .heat(Heat(celsius: 220, minutes: 45)))),
                .warning(.init(warning: "The oven is hot.")),
            ]
        )
    }

    @Test("an order has a key, and its error has the type of the document")
    func order() async throws {
        transport.on(.post, "/v2/orders", .text(#"{"ingredients": ["flour"]}"#, status: 409, type: "application/json"))

        do {
            _ = try await client.order(body: Order(recipes: ["bread"]))
            Issue.record("The order was accepted.")
        } catch MoyaError.underlying(let error as OutOfStock, _) {
            #expect(error.ingredients == ["flour"])
        }
        let request = try #require(transport.requests.first)
        let key = try #require(HTTPField.Name("Idempotency-Key"))
        #expect(request.headers[key]?.isEmpty == false)
        #expect(request.text == #"{"recipes":["bread"],"servings":2}"#)
    }

    @Test("each line of an export is a value")
    func export() async throws {
        let lines = #"{"name": "flour", "amount": 2}"# + "\n" + #"{"name": "salt", "amount": "a pinch"}"# + "\n"
        transport.on(.get, "/v2/pantry/export", .text(lines, type: "application/jsonl"))

        var names: [String] = []
        for try await ingredient in try await client.exportPantry() { names.append(ingredient.name) }

        #expect(names == ["flour", "salt"])
    }
}
