import MoyaGenerator
import Testing

@Suite("Filters select operations with the models that they need")
struct FilterTests {
    private let text = document(
        schemas:
            "Cat: {type: object, properties: {owner: {$ref: '#/components/schemas/Owner'}}}\nOwner: {type: object, properties: {n: {type: string}}}\nDog: {type: object, properties: {n: {type: string}}}\n",
        paths: """
            /cats: {get: {operationId: cats, tags: [felines], responses: {'200': {description: x, content: {application/json: {schema: {$ref: '#/components/schemas/Cat'}}}}}}}
            /dogs: {get: {operationId: dogs, tags: [canines], responses: {'200': {description: x, content: {application/json: {schema: {$ref: '#/components/schemas/Dog'}}}}}}}
            /dogs/{id}: {delete: {operationId: deleteDog, tags: [canines], responses: {}}}
            """
    )

    @Test(
        "patterns match tags, identifiers and paths",
        arguments: [
            (["felines"], [], ["Felines.swift", "Models/Cat.swift", "Models/Owner.swift"]),
            (["dogs"], [], ["Canines.swift", "Models/Dog.swift"]), (["/dogs/*"], [], ["Canines.swift"]),
            (["*"], ["canines"], ["Felines.swift", "Models/Cat.swift", "Models/Owner.swift"]),
            ([], ["/cats", "delete*"], ["Canines.swift", "Models/Dog.swift"]),
            ([], [], ["Canines.swift", "Felines.swift", "Models/Cat.swift", "Models/Dog.swift", "Models/Owner.swift"]),
        ]
    )
    func filters(included: [String], excluded: [String], expected: [String]) throws {
        var configuration = Configuration()
        configuration.filter = OperationFilter(included: included, excluded: excluded)
        #expect(try generate(text, configuration).files.map(\.path) == expected)
    }

    @Test("a filter that selects nothing is an error")
    func nothing() {
        var configuration = Configuration()
        configuration.filter = OperationFilter(included: ["birds"])
        #expect(throws: GeneratorFailure.self) { try generate(text, configuration) }
    }
}
