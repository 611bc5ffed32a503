#if Macros
    import MoyaMacros
    import Testing

    /// Methods that share a verb and a path, as in JSON-RPC, and overloads.
    @API("https://rpc.example")
    protocol Calls: Sendable {
        @POST("/rpc") func call(_ call: Body<Call>) async throws -> Item
        @POST("/rpc") func batch(_ calls: Body<[Call]>) async throws -> [Item]
        @GET("/items/{name}") func item(name: String) async throws -> Item
        @GET("/items/{name}") func item(name: String, part: Int) async throws -> String
    }

    struct Call: Codable, Equatable, Sendable {
        var method: String
    }

    @Suite("Methods with the same verb and path")
    struct SameRouteTests {
        private func request(_ target: CallsAPI) throws -> URLRequest {
            try MoyaProvider<CallsAPI>.defaultEndpointMapping(for: target).urlRequest()
        }

        @Test("Each is a case of its own, overloads by their labels, and sends its own body")
        func cases() throws {
            let one = try request(.call(Call(method: "a")))
            let both = try request(.batch([Call(method: "a"), Call(method: "b")]))
            #expect(one.url == both.url && one.httpMethod == both.httpMethod)
            #expect(one.httpBody == Data(#"{"method":"a"}"#.utf8))
            #expect(both.httpBody == Data(#"[{"method":"a"},{"method":"b"}]"#.utf8))
            #expect(try request(.itemName(name: "x")).url?.absoluteString == "https://rpc.example/items/x")
            #expect(
                try request(.itemNamePart(name: "x", part: 2)).url?.absoluteString
                    == "https://rpc.example/items/x?part=2"
            )
        }

        @Test("A mock has a function for each")
        func mock() async throws {
            let mock = CallsMock()
            mock.handlers.call = { Item(name: $0.method, unitPrice: 1) }
            mock.handlers.batch = { $0.map { Item(name: $0.method, unitPrice: 2) } }
            mock.handlers.itemName = { Item(name: $0, unitPrice: 3) }
            mock.handlers.itemNamePart = { "\($0) \($1)" }
            let calls: any Calls = mock
            #expect(try await calls.call(Call(method: "a")).unitPrice == 1)
            #expect(try await calls.batch([Call(method: "a")]).map(\.unitPrice) == [2])
            #expect(try await calls.item(name: "x") == Item(name: "x", unitPrice: 3))
            #expect(try await calls.item(name: "x", part: 2) == "x 2")
        }
    }
#endif
