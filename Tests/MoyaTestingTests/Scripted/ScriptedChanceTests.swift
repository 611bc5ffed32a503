import Foundation
import MoyaTesting
import Testing

@Suite("A scripted transport chooses responses at random", .timeLimit(.minutes(5)))
struct ScriptedChanceTests {
    /// Returns for each request whether it was refused.
    private func refused(_ probability: Double, seed: UInt64, count: Int = 200) async -> [Bool] {
        let transport = ScriptedTransport().on(
            Shop.list,
            .chance(probability, seed: seed, .refused, otherwise: .text("a"))
        )
        let provider = MoyaProvider<Shop>(transport)
        var refused: [Bool] = []
        for _ in 0..<count { refused.append(await provider.error(.list) != nil) }
        return refused
    }

    @Test("equal seeds give equal series of random numbers, and different seeds give different series")
    func seeds() async {
        let series = await refused(0.5, seed: 42)
        #expect(await refused(0.5, seed: 42) == series)
        #expect(await refused(0.5, seed: 43) != series)
        #expect((60...140).contains(series.count { $0 }))
    }

    @Test(
        "the series of random numbers is computed by SplitMix64, so it is the same on every machine and in every version"
    )
    func series() async {
        let series = await refused(0.5, seed: 42, count: 16).map { $0 ? "x" : "-" }.joined()
        #expect(series == "-xxxx-x-x-xx---x")
    }

    @Test("a random response is never chosen with probability 0, and always with probability 1")
    func extremes() async {
        for seed: UInt64 in [0, 1, .max] {
            #expect(await !refused(0, seed: seed).contains(true))
            #expect(await !refused(1, seed: seed).contains(false))
            #expect(await !refused(-1, seed: seed).contains(true))
            #expect(await !refused(.nan, seed: seed).contains(true))
        }
    }

    @Test("each part of a script has a separate random series, independent of other parts")
    func parts() async throws {
        let chance = ScriptedResponse.chance(0.5, seed: 7, .text("x"), otherwise: .text("-"))
        let transport = ScriptedTransport().on(Shop.list, chance).on(Shop.item(1), chance)
        let provider = MoyaProvider<Shop>(transport)
        var (list, items) = ("", "")
        for number in 0..<40 {
            list += try await provider.request(.list).mapString()
            if number % 2 == 0 { items += try await provider.request(.item(1)).mapString() }
        }
        #expect(list.hasPrefix(items))
        #expect(Set(list).count == 2)
    }

    @Test("each queued random response is drawn separately")
    func queue() async throws {
        let transport = ScriptedTransport()
        for _ in 0..<40 { transport.next(.chance(0.5, seed: 7, .text("x"), otherwise: .text("-"))) }
        var texts: Set<String> = []
        for _ in 0..<40 { texts.insert(try await transport.ask("http://h/").text) }
        #expect(texts.count == 2)
    }

    @Test("the error of a randomly chosen fault names the seed, and how to repeat the choice")
    func text() async throws {
        let note =
            "(By chance: 1.0, seed 99, request 2 of Shop.list, GET https://shop.example.com/v1/items. "
            + "The same seed repeats it.)"
        let faults: [ScriptedResponse] = [
            .refused, .reset, .stall, .text("abc").reset(afterBytes: 1), .text("abc").stall(afterBytes: 0),
            .chance(1, seed: 99, .refused, otherwise: .text("b")),
        ]
        for fault in faults {
            let chance = ScriptedResponse.chance(1, seed: 99, fault, otherwise: .text("a"))
            let transport = ScriptedTransport(clock: QuickClock()).on(Shop.list, .text("first"), chance)
            let provider = MoyaProvider<Shop>(transport)
            #expect(await provider.error(.list) == nil)
            let error = try #require(await provider.error(.list) as? URLError)
            #expect(error.localizedDescription.hasSuffix(note), "\(error.localizedDescription)")
            let cause = try #require(error.userInfo[NSUnderlyingErrorKey] as? ScriptedFault)
            #expect(cause.draw?.seed == 99)
            #expect(cause.draw?.number == 1)
            #expect(cause.localizedDescription.hasSuffix(note))
        }
    }

    @Test("a modifier changes both responses of a random choice, including nested choices")
    func changed() async throws {
        let inner = ScriptedResponse.chance(0.5, seed: 2, .text("b"), otherwise: .text("c"))
        let answer = ScriptedResponse.chance(0.5, seed: 1, .text("a"), otherwise: inner).header("X-A", "1")
        let url = try #require(URL(string: "http://h/"))
        let transport = ScriptedTransport().on("/", answer)
        var texts: Set<String> = []
        for _ in 0..<50 {
            let response = try await transport.send(TransportRequest(method: .get, url: url))
            #expect(response.headers[values: try #require(HTTPField.Name("X-A"))] == ["1"])
            guard case .complete(let data) = response.body else { continue }
            texts.insert(String(decoding: data, as: UTF8.self))
        }
        #expect(texts == ["a", "b", "c"])
    }
}
