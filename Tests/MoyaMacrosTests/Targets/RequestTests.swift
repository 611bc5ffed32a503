#if Macros
import MoyaMacros
import Testing

@Suite("Declared endpoints send the expected requests")
struct RequestTests {
    private func request(_ target: ShopAPI) throws -> URLRequest {
        try MoyaProvider<ShopAPI>.defaultEndpointMapping(for: target).urlRequest()
    }

    private func query(_ target: ShopAPI) throws -> String? { try request(target).url?.query }

    private func body(_ target: ShopAPI) throws -> String? {
        try request(target).httpBody.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("a declared query has fixed values, named parameters, raw values and dates, and omits nil")
    func queries() throws {
        #expect(
            try query(.search(orders: [.byName, .byPrice], maxPrice: nil, since: nil, order: nil))
                == "kind=new&orders%5B%5D=by_name&orders%5B%5D=by_price"
        )
        #expect(
            try query(.search(orders: [], maxPrice: 1.5, since: Date(timeIntervalSince1970: 0), order: .byPrice))
                == "kind=new&maxPrice=1.5&order=by_price&since=1970-01-01T00%3A00%3A00Z"
        )
    }

    @Test("the template of the URL is the declared path, also in a MultiTarget")
    func urlTemplate() {
        let target = ShopAPI.part(of: "a", number: 2)
        #expect(target.urlTemplate == "/items/{name}/parts/{number}")
        #expect(MultiTarget(MultiTarget(target)).urlTemplate == "/items/{name}/parts/{number}")
    }

    @Test("a declared body can be combined with a query and a header")
    func bodyAndQuery() throws {
        let target = ShopAPI.add(item: Item(name: "a", unitPrice: 1), dryRun: true, xRequestID: "7")
        let request = try request(target)
        #expect(request.url?.absoluteString == "https://shop.example/v1/items?dry_run=1")
        #expect(
            try JSONDecoder().decode(Item.self, from: #require(request.httpBody)) == Item(name: "a", unitPrice: 1)
        )
        #expect(request.headers["Content-Type"] == "application/json")
        #expect(request.headers["X-Request-ID"] == "7")
        #expect(target.authorizationType == .bearer)
        #expect(ShopAPI.text.authorizationType == nil)
        #expect(try query(.add(item: .sample, dryRun: nil, xRequestID: "")) == nil)
    }

    @Test("parameters are members of a JSON object in snake case, and nil is omitted")
    func members() throws {
        #expect(try body(.update("a", unitPrice: nil, tags: ["x"])) == #"{"tags":["x"]}"#)
        #expect(try body(.update("a", unitPrice: 2, tags: []))?.contains(#""unit_price":2"#) == true)
    }

    @Test("parameters are fields of a declared form")
    func fields() throws {
        #expect(try body(.fill(tags: ["a b", "c"], order: .byName)) == "order=by_name&tags=a%20b&tags=c")
    }

    @Test("parameters are parts of a declared multipart form, and nil is omitted")
    func parts() throws {
        let photo = MultipartFormData(
            provider: .data(Data("x".utf8)),
            name: "photo",
            fileName: "a.png",
            mimeType: "image/png"
        )
        for (order, names) in [(Order.byName, ["note", "order", "photo"]), (nil, ["note", "photo"])] {
            let task = ShopAPI.upload(note: Named(description: "hi"), order: order, photo: photo).task
            guard case .uploadMultipart(let parts) = task else {
                Issue.record("\(task)")
                continue
            }
            #expect(parts.map(\.name) == names)
            #expect(parts.first?.provider == .data(Data("hi".utf8)))
            #expect(parts.last == photo)
            if order != nil { #expect(parts[1].provider == .data(Data("by_name".utf8))) }
        }
    }

    @Test("bytes of a parameter are sent unchanged, with headers from parameters")
    func bytes() throws {
        let request = try request(.put(raw: Data("raw".utf8), name: "n", tag: 3, order: .byPrice))
        #expect(request.httpBody == Data("raw".utf8))
        #expect(
            request.headers.dictionary == ["Content-Type": "text/x", "If-Match": "3", "X-Order": "by by_price"]
        )
        let without = try self.request(.put(raw: Data(), name: "n", tag: nil, order: .byPrice))
        #expect(without.headers["If-Match"] == nil)
    }

    @Test("parameters may have the names that the surrounding code uses")
    func clashes() async throws {
        let target = ShopAPI.clash(state: "open", caller: "me", answer: 1, path: "/p")
        #expect(
            try request(target).url?.absoluteString
                == "https://shop.example/v1/state/open?answer=1&caller=me&path=/p"
        )
        let mock = ShopMock { $0.clash = { state, _, _, _ in #expect(state == "open") } }
        try await mock.clash(state: "open", caller: "me", answer: 1, path: "/p")
        #expect(mock.calls.count == 1)
    }
}
#endif
