import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

@Suite("A typed target has an output")
struct TypedTargetTests {
    private static let user = #"{"login":"ashfurrow"}"#

    @Test("an awaited request of a typed target returns the output, from a provider of the target or of MultiTarget")
    func awaited() async throws {
        let own = provider(of: GetUser.self, stub: (200, Self.user))
        let user = try await own.request(GetUser(name: "ashfurrow"))
        #expect(user == User(login: "ashfurrow"))
        let multi = provider(of: MultiTarget.self, stub: (200, Self.user))
        let same = try await multi.request(GetUser(name: "ashfurrow"))
        #expect(same == user)
        let unknown: any TypedTargetType<User> = GetUser(name: "ashfurrow")
        let opened = try await multi.request(unknown)
        #expect(opened == user)
    }

    @Test("`request` of a typed target returns the response if the result's type requires it")
    func response() async throws {
        let own = provider(of: GetUser.self, stub: (200, Self.user))
        let response: Response = try await own.request(GetUser(name: "a"))
        #expect(response.data == Data(Self.user.utf8))
        let statusCode = try await own.request(GetUser(name: "a")).statusCode
        #expect(statusCode == 200)
        let mapped = try await own.request(GetUser(name: "a")).map(User.self)
        #expect(mapped == User(login: "ashfurrow"))
        own.request(GetUser(name: "a")) { result in
            switch result {
            case .success(let response): #expect(response.statusCode == 200)
            case .failure(let error): Issue.record("\(error)")
            }
        }
        let multi = provider(of: MultiTarget.self, stub: (200, Self.user))
        let wrapped = try await multi.request(MultiTarget(GetUser(name: "a")))
        #expect(wrapped.statusCode == 200)
    }

    @Test("the callback of a typed target gets the output, immediately from an immediate stub")
    func callback() {
        let results = Recorder<Result<User, MoyaError>>()
        provider(of: GetUser.self, stub: (200, Self.user)).requestOutput(GetUser(name: "a")) { results.add($0) }
        provider(of: MultiTarget.self, stub: (200, Self.user)).requestOutput(GetUser(name: "a")) { results.add($0) }
        #expect(results.values.compactMap { try? $0.get() } == [User(login: "ashfurrow"), User(login: "ashfurrow")])
        #expect(results.values.count == 2)
    }

    @Test("plugins get the typed target or the MultiTarget around it, and a changed response is decoded")
    func plugins() async throws {
        struct Change: PluginType {
            let seen = Recorder<String>()

            func prepare(_ request: URLRequest, target: any TargetType) -> URLRequest {
                seen.add("\(type(of: target)) \(request.url?.path ?? "")")
                return request
            }

            func process(
                _ result: Result<Response, MoyaError>,
                target: any TargetType
            ) -> Result<Response, MoyaError> {
                result.map { _ in Response(statusCode: 200, data: Data(#"{"login":"changed"}"#.utf8)) }
            }
        }
        let plugin = Change()
        let own = provider(of: GetUser.self, stub: (200, Self.user), plugins: [plugin])
        let multi = provider(of: MultiTarget.self, stub: (200, Self.user), plugins: [plugin])
        let users = [
            try await own.request(GetUser(name: "a")), try await multi.request(GetUser(name: "b")),
        ]
        #expect(users == [User(login: "changed"), User(login: "changed")])
        #expect(plugin.seen.values == ["GetUser /users/a", "MultiTarget /users/b"])
    }

    @Test("requests for outputs use a subclass's override of `request`")
    func subclass() async throws {
        final class Counting<Target: TargetType>: MoyaProvider<Target>, @unchecked Sendable {
            let count = Recorder<Void>()

            override func request(
                _ target: Target,
                callbackQueue: DispatchQueue? = .none,
                progress: ProgressBlock? = .none,
                completion: @escaping Completion
            ) -> any Cancellable {
                count.add(())
                completion(.success(Response(statusCode: 200, data: Data(#"{"login":"counted"}"#.utf8))))
                return CancellableToken {}
            }
        }
        let own = Counting<GetUser>()
        let user = try await own.request(GetUser(name: "a"))
        #expect(user == User(login: "counted"))
        own.requestOutput(GetUser(name: "a")) { #expect((try? $0.get()) == user) }
        #expect(own.count.values.count == 2)
        let multi = Counting<MultiTarget>()
        let same = try await multi.request(GetUser(name: "a"))
        #expect(same == user)
        #expect(multi.count.values.count == 1)
    }

    @Test("a typed target accepts the statuses 200 to 299 unless it declares another validation")
    func validation() async {
        let validations: [(ValidationType, accepted: [Int])] = [
            (.successCodes, [200, 299]), (.successAndRedirectCodes, [200, 299, 304]), (.customCodes([404]), [404]),
            (.none, [199, 200, 299, 304, 404, 500]),
        ]
        #expect(GetUser(name: "a").validationType == .successCodes)
        #expect(MultiTarget(GetUser(name: "a")).validationType == .successCodes)
        for (validation, accepted) in validations {
            for status in [199, 200, 299, 304, 404, 500] {
                let target = Ask<User>(validationType: validation)
                let result = await TypedEntryPoint.async.request(target, stub: (status, Self.user))
                let isAccepted = (try? result.get()) == User(login: "ashfurrow")
                #expect(isAccepted == accepted.contains(status), "\(validation) \(status)")
            }
        }
    }

    @Test("a custom output of a typed target need not be Decodable, and its error is in .objectMapping")
    func ownAnswer() async throws {
        struct Refusal: Error {}
        struct Words: AnyTypedTarget {
            func output(from response: Response) throws -> [Substring] {
                guard !response.data.isEmpty else { throw Refusal() }
                return try response.mapString().split(separator: " ")
            }
        }
        let words = try await provider(stub: (200, "a b")).request(Words())
        #expect(words == ["a", "b"])
        let failed = await TypedEntryPoint.async.request(Words(), stub: (200, ""))
        guard case .failure(.objectMapping(let error, let response)) = failed else {
            Issue.record("\(failed)")
            return
        }
        #expect(error is Refusal)
        #expect(response.statusCode == 200)
    }

    @Test("the cases of an enum target share one output type")
    func enumeration() async throws {
        enum Users: AnyTypedTarget {
            case one(Int)
            case all

            typealias Output = [User]
        }
        let users = try await provider(stub: (200, "[\(Self.user)]")).request(Users.one(1))
        #expect(users == [User(login: "ashfurrow")])
    }

    @Test("a request of a typed target whose task or token is cancelled fails with URLError.cancelled")
    func cancelled() async {
        let waiting = MoyaProvider<GetUser>(stubClosure: MoyaProvider.delayedStub(3600))
        let task = _Concurrency.Task { try await waiting.request(GetUser(name: "a")) as User }
        task.cancel()
        let error = await #expect(throws: MoyaError.self) { try await task.value }
        #expect(Result<Response, MoyaError>.failure(error ?? .requestMapping("")).urlErrorCode == .cancelled)
        let result = Promise<Result<User, MoyaError>>()
        waiting.requestOutput(GetUser(name: "a"), callbackQueue: .global()) { result.fulfill($0) }.cancel()
        let failure = await result.wait().failure
        #expect(Result<Response, MoyaError>.failure(failure ?? .requestMapping("")).urlErrorCode == .cancelled)
    }

    @Test("equal requests for outputs and responses share one exchange")
    func inflight() async throws {
        let gate = Promise<Void>()
        let sent = Recorder<Void>()
        let provider = MoyaProvider<GetUser>(
            session: Session(
                FakeTransport { _ in
                    sent.add(())
                    await gate.wait()
                    return TransportResponse(status: 200, body: .complete(Data(Self.user.utf8)))
                }
            ),
            trackInflights: true
        )
        let (user, response) = (Promise<Result<User, MoyaError>>(), Promise<Result<Response, MoyaError>>())
        let target = GetUser(name: "a")
        provider.requestOutput(target, callbackQueue: .global()) { user.fulfill($0) }
        provider.request(target, callbackQueue: .global()) { response.fulfill($0) }
        #expect(provider.inflightRequests.values.map(\.count) == [2])
        gate.fulfill(())
        #expect(try await user.wait().get() == User(login: "ashfurrow"))
        #expect(try await response.wait().get().statusCode == 200)
        #expect(sent.values.count == 1)
    }
}
