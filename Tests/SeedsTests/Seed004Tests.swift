import Foundation
import Moya
import Testing

@Suite("The code about basic usage in seed 004 works")
struct Seed004Tests {
    @Test("Blocks 1 and 2: each case of a target becomes a request with its properties")
    func targetsBecomeRequests() throws {
        let expected: [(target: MyService, method: String, url: String)] = [
            (.zen, "GET", "https://api.myservice.com/zen"),
            (.showUser(id: 7), "GET", "https://api.myservice.com/users/7"),
            (.createUser(firstName: "James", lastName: "Potter"), "POST", "https://api.myservice.com/users"),
            (
                .updateUser(id: 123, firstName: "Harry", lastName: "Potter"), "POST",
                "https://api.myservice.com/users/123?first_name=Harry&last_name=Potter"
            ),
            (.showAccounts, "GET", "https://api.myservice.com/accounts"),
        ]
        for (target, method, url) in expected {
            let request = try #require(StubbedProvider<MyService>().response(of: target).request)
            #expect(request.httpMethod == method)
            #expect(request.url?.absoluteString == url)
            #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
        }
    }

    @Test("Block 2: a stub returns the sample data of its target's case")
    func stubsAnswerWithSampleData() throws {
        let provider = StubbedProvider<MyService>()
        let zen = try provider.response(of: .zen)
        #expect(zen.statusCode == 200)
        #expect(try zen.mapString() == "Half measures are as bad as nothing at all.")
        let user = try provider.response(of: .showUser(id: 7))
        #expect(try user.map(Int.self, atKeyPath: "id") == 7)
        #expect(try user.mapString(atKeyPath: "first_name") == "Harry")
        let created = try provider.response(of: .createUser(firstName: "James", lastName: "Potter"))
        #expect(try created.map(Int.self, atKeyPath: "id") == 100)
        #expect(try created.mapString(atKeyPath: "last_name") == "Potter")
        #expect(try provider.response(of: .showAccounts).data.isEmpty)
    }

    @Test("Block 3: the sent requests equal the requests in the block's comments")
    func requestsAreAsTold() throws {
        let requests = Seed004.SendingRequests.run().recorder.requests
        try #require(requests.count == 2)

        #expect(requests[0].httpMethod == "POST")
        #expect(requests[0].url?.absoluteString == "https://api.myservice.com/users")
        let body = try #require(requests[0].httpBody)
        #expect(
            try JSONDecoder().decode([String: String].self, from: body) == [
                "first_name": "James", "last_name": "Potter",
            ]
        )

        #expect(requests[1].httpMethod == "POST")
        #expect(
            requests[1].url?.absoluteString == "https://api.myservice.com/users/123?first_name=Harry&last_name=Potter"
        )
        #expect(requests[1].httpBody == nil)
    }

    @Test("Block 4: the endpoint closure creates an endpoint without the target's headers")
    func endpointClosureMakesEndpoint() throws {
        let endpointClosure = Seed004.endpointClosure()
        let provider = StubbedProvider(endpointClosure: endpointClosure)
        let response = try provider.response(of: .showUser(id: 7))
        #expect(response.request?.url?.absoluteString == "https://api.myservice.com/users/7")
        #expect(response.request?.allHTTPHeaderFields?.isEmpty != false)
        #expect(response.data == MyService.showUser(id: 7).sampleData)
        #expect(endpointClosure(.zen).httpHeaderFields == nil)
    }

    @Test("Block 5: the endpoint closure decides whether a stub fails")
    func stubFails() throws {
        let failing = StubbedProvider(endpointClosure: Seed004.failureEndpointClosure(shouldTimeout: true))
        guard case .failure(.underlying(let error as NSError, nil)) = try failing.result(of: .zen) else {
            Issue.record("a stub with a network error did not fail with that error")
            return
        }
        #expect(error.code == 0)
        let working = StubbedProvider(endpointClosure: Seed004.failureEndpointClosure(shouldTimeout: false))
        let response = try working.response(of: .zen)
        #expect(response.statusCode == 200)
        #expect(response.data == MyService.zen.sampleData)
    }

    @Test("Block 6: the provider retains the closure and calls it with the target")
    func providerIsMadeAtLaunch() throws {
        let application = Seed004.Application()
        #expect(application.provider == nil)
        application.launch { target in
            Endpoint(
                url: "https://elsewhere.test/\(target.path)",
                sampleResponseClosure: { .networkResponse(418, Data()) },
                method: target.method,
                task: target.task
            )
        }
        let provider = try #require(application.provider)
        #expect(try StubbedProvider(like: provider).response(of: .zen).statusCode == 418)
        guard case .never = provider.stubClosure(.zen) else {
            Issue.record("a provider stubs what nobody asked it to stub")
            return
        }
    }

    @Test("Block 7: the request of the block is sent")
    func requestIsSent() throws {
        let provider = StubbedProvider<MyService>()
        Seed004.request(provider)
        #expect(provider.recorder.requests.map(\.url?.absoluteString) == ["https://api.myservice.com/zen"])
        let result = try #require(provider.recorder.results.first)
        #expect(try result.get().data == MyService.zen.sampleData)
    }

    @Test("Block 9: the block's calls return the JSON, or throw errors that the block catches")
    func responseIsRead() throws {
        let good = Response(statusCode: 200, data: Data(#"{"id": 7}"#.utf8))
        let missing = Response(statusCode: 404, data: Data("{}".utf8))
        let broken = Response(statusCode: 200, data: Data("not JSON".utf8))
        for response in [good, missing, broken] { Seed004.read(response) }

        #expect(try good.filterSuccessfulStatusCodes().mapJSON() as? [String: Int] == ["id": 7])
        #expect {
            try missing.filterSuccessfulStatusCodes()
        } throws: { error in
            if case MoyaError.statusCode(let response) = error { response === missing } else { false }
        }
        #expect {
            try broken.mapJSON()
        } throws: { error in
            if case MoyaError.jsonMapping(let response) = error { response === broken } else { false }
        }
    }
}
