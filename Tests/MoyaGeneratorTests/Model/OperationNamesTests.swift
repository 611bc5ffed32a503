import MoyaGenerator
import Testing

@Suite("Operations are named by their identifiers, or by their paths")
struct OperationNamesTests {
    @Test(
        "a method has the name of its operation without its tag, without get, and without the names of parameters",
        arguments: [
            ("get", "/pets", "pets/list", "list"), ("get", "/pets", "listPets", "listPets"),
            ("get", "/pets/{id}", "getPetById", "pet"),
            ("get", "/pets", "getPets", "pets"), ("get", "/pets/{id}", "pets.get", "get"),
            ("post", "/pets", "PetsController_create", "create"),
            ("get", "/pets/{id}", "getById", "getByID"), ("delete", "/pets/{id}", "delete_pet", "deletePet"),
            ("get", "/path", "path", "path2"),
            ("get", "/pets", "", "pets"), ("get", "/pets/{id}", "", "pet"), ("post", "/pets", "", "createPet"),
            ("put", "/pets/{id}", "", "replacePet"),
            ("get", "/api/v2/users/{id}/repos", "", "userRepos"), ("get", "/", "", "root"),
            ("post", "/pets/{id}/import", "import", "`import`"),
        ]
    )
    func names(method: String, path: String, id: String, expected: String) throws {
        let identifier = id.isEmpty ? "" : "operationId: '\(id)', "
        let paths = "\(path):\n  \(method): {\(identifier)tags: [pets], responses: {'204': {description: x}}}\n"
        let text = try generate(document(paths: paths)).text("Pets.swift")
        #expect(text.contains("func \(expected)("))
    }

    @Test("operations whose short names are equal have longer names, whatever their order")
    func conflicts() throws {
        let paths = """
            /a: {get: {operationId: pets/get-owner, tags: [pets], responses: {}}, post: {operationId: pets/owner, tags: [pets], responses: {}}}
            """
        let text = try generate(document(paths: paths)).text("Pets.swift")
        #expect(text.contains("func getOwner()") && text.contains("func petsOwner()") || text.contains("func owner()"))
    }

    @Test("a tag that is a model has another name")
    func tags() throws {
        let paths = "/a: {get: {operationId: list, tags: [Pet], responses: {}}}\n"
        let result = try generate(
            document(schemas: "Pet: {type: object, properties: {a: {type: string}}}\n", paths: paths)
        )
        #expect(result.files.map(\.path) == ["Models/Pet.swift", "PetEndpoints.swift"])
    }
}
