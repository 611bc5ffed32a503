import MoyaMacros

/// Plans meals, and guides the cook.
@API("https://kitchen.example.com/v2", encoder: .kitchen, decoder: JSONDecoder.kitchen)
protocol Kitchen: Sendable {
    /// Lists recipes, the newest first.
    @GET("/recipes") @Paged(.cursor(at: "next_cursor", query: "cursor")) @KeyPath("items")
    func listRecipes(diet: Diet?) async throws -> PagedSequence<Recipe>

    /// Returns a recipe with its version.
    @GET("/recipes/{id}") @ErrorBody(Problem.self, for: 404)
    func recipe(id: String) async throws -> TypedResponse<Recipe>

    /// Guides the cook through a recipe.
    ///
    /// The events end with `[DONE]`.
    @POST("/recipes/{id}/cook") @Stream(until: "[DONE]")
    func cook(id: String, body: Body<CookBody>) async throws -> DecodedEvents<CookingEvent>

    /// Orders the ingredients of recipes.
    @POST("/orders") @ErrorBody(OutOfStock.self, for: 409) @Idempotent(IdempotencyKeys(format: .bare))
    func order(body: Body<Order>) async throws -> Delivery

    /// Exports all ingredients, one a line.
    @GET("/pantry/export") @Stream
    func exportPantry() async throws -> DecodedLines<Ingredient>
}
