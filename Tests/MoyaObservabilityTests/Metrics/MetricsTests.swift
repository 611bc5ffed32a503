#if Observability && NIO && !canImport(Darwin)
import Foundation
import FoundationNetworking
import MetricsTestKit
import MoyaHTTP
import MoyaObservability
import TestServers
import Testing

@Suite("Requests and connections are measured", .timeLimit(.minutes(5)))
struct MetricsTests {
    @Test("all series of a metric have the same dimensions, unless absent ones are omitted")
    func absentDimensions() async throws {
        let server = try await ObservedServer()
        let port = try DeadPort()
        let allNames = [
            "error.type", "http.request.method", "http.response.status_code", "network.protocol.version",
            "server.address", "server.port", "url.template",
        ]
        let rows: [(absent: MetricsOptions.AbsentDimensions, success: [String], failure: [String])] = [
            (.empty, allNames, allNames),
            (
                .omitted,
                [
                    "http.request.method", "http.response.status_code", "network.protocol.version", "server.address",
                    "server.port",
                ],
                ["error.type", "http.request.method", "server.address", "server.port"]
            ),
        ]
        for row in rows {
            let observed = try Observed(metrics: { $0.absentDimensions = row.absent })
            _ = try await observed.session.data(for: URLRequest(url: server.url("/status/200")))
            _ = try? await observed.session.data(for: URLRequest(url: port.url))
            let names = observed.metrics.timers(label: "http.client.request.duration")
                .map { $0.dimensions.map(\.0).sorted() }.sorted { $0.count > $1.count }
            #expect(names == [row.success, row.failure])
        }
        await server.shutDown()
    }

    @Test("further servers and templates share one series")
    func cardinality() async throws {
        let server = try await ObservedServer()
        var connection = TransportConfiguration()
        for number in 0..<5 { connection.dnsOverride["host\(number).test"] = "127.0.0.1" }
        let observed = try Observed(metrics: { $0.maximumServerCount = 2 }, connection: connection)
        for number in 0..<5 {
            let url = try #require(URL(string: "http://host\(number).test:\(server.port)/status/200"))
            _ = try await observed.session.data(for: URLRequest(url: url))
        }
        await server.shutDown()
        let addresses = observed.metrics.timers(label: "http.client.request.duration").map { timer in
            (timer.dimensions.first { $0.0 == "server.address" }?.1, timer.values.count)
        }.sorted { $0.0 ?? "" < $1.0 ?? "" }
        #expect(addresses.map(\.0) == ["_OTHER", "host0.test", "host1.test"])
        #expect(addresses.map(\.1) == [3, 1, 1])
    }

    @Test("the sizes of bodies are measured if the option says so")
    func bodySizes() async throws {
        let server = try await ObservedServer()
        let observed = try Observed(metrics: { $0.measuresBodySizes = true })
        var request = URLRequest(url: server.url("/stream"))
        request.httpMethod = "POST"
        request.httpBody = Data(count: 7)
        _ = try await observed.session.data(for: request)
        await server.shutDown()
        #expect(observed.metrics.recorders(label: "http.client.request.body.size").map(\.lastValue) == [7])
        #expect(observed.metrics.recorders(label: "http.client.response.body.size").map(\.lastValue) == [100_000])
        let plain = try Observed()
        #expect(plain.metrics.recorders.isEmpty)
    }

    @Test("retries and resends are counted")
    func counts() async throws {
        let server = try await ObservedServer()
        var resilience = Resilience()
        resilience.retrier = RetryPolicy(retryLimit: 1, exponentialBackoffBase: 2, exponentialBackoffScale: 0.001)
        let observed = try Observed(resilience: resilience)
        for path in ["/busy-once", "/lost", "/lost"] {
            _ = try await observed.session.data(for: URLRequest(url: server.url(path)))
        }
        await server.shutDown()
        #expect(observed.metrics.counterTotal(label: "moya.client.retries") == 1)
        #expect(observed.metrics.counterTotal(label: "moya.client.resends") == 1)
    }

    @Test("requests for which a cache was asked are counted by its result")
    func cacheResults() async throws {
        let server = try await ObservedServer()
        let observed = try Observed(cache: .memory())
        for _ in 0..<3 { _ = try await observed.session.data(for: URLRequest(url: server.url("/fresh"))) }
        await server.shutDown()
        let counters = observed.metrics.counters(label: "moya.client.cache.requests")
        let totals = Dictionary(
            uniqueKeysWithValues: counters.map { counter in
                (counter.dimensions.first { $0.0 == "moya.cache.result" }?.1 ?? "", counter.totalValue)
            }
        )
        #expect(totals == ["network": 1, "cache": 2])
    }

    /// Returns the number of connections by their state.
    private func connections(_ observed: Observed) -> [String: Double] {
        var counts: [String: Double] = [:]
        for meter in observed.metrics.meters(label: "http.client.open_connections") {
            counts[meter.dimensions.first { $0.0 == "http.connection.state" }?.1 ?? "", default: 0] +=
                meter.lastValue ?? 0
        }
        return counts
    }

    @Test("open connections are measured by their state, and their duration when they end")
    func openConnections() async throws {
        let server = try await ObservedServer()
        let observed = try Observed()
        let request = URLRequest(url: server.url("/never"))
        let task = Task { try await observed.session.data(for: request) }
        for await path in server.requests where path == "never" { break }
        #expect(connections(observed)["active"] == 1)
        #expect(connections(observed)["idle", default: 0] == 0)
        #expect(observed.session.status.transport?.activeConnections == 1)
        task.cancel()
        _ = try? await task.value
        _ = try await observed.session.data(for: URLRequest(url: server.url("/status/200")))
        await observed.session.shutdown(grace: .seconds(5))
        await server.shutDown()
        #expect(connections(observed).values.allSatisfy { $0 == 0 })
        #expect(observed.dimensions(of: .connectionDuration).count == 2)
        #expect(
            observed.dimensions(of: .connectionDuration).allSatisfy {
                $0 == "network.protocol.version=1.1 server.address=127.0.0.1 server.port=\(server.port)"
            }
        )
    }

    @Test("the lookup, the connection and the wait for it are measured by server")
    func phases() async throws {
        let server = try await ObservedServer()
        struct Loopback: HostResolver {
            func resolve(_ host: String) async throws -> ResolvedHost { ResolvedHost(addresses: ["127.0.0.1"]) }
        }
        var connection = TransportConfiguration()
        connection.hostResolver = Loopback()
        let observed = try Observed(connection: connection)
        let url = try #require(URL(string: "http://named.test:\(server.port)/status/200"))
        for _ in 0..<2 { _ = try await observed.session.data(for: URLRequest(url: url)) }
        let unmeasured = try Observed(metrics: { $0.measuresPhases = false }, connection: connection)
        _ = try await unmeasured.session.data(for: URLRequest(url: url))
        await server.shutDown()
        let dimensions = "error.type= server.address=named.test server.port=\(server.port)"
        #expect(observed.dimensions(of: .lookupDuration) == ["dns.question.name=named.test error.type="])
        #expect(observed.dimensions(of: .connectDuration) == [dimensions])
        #expect(observed.dimensions(of: .queueDuration) == [dimensions])
        #expect(observed.dimensions(of: .tlsDuration) == [])
        #expect(unmeasured.dimensions(of: .lookupDuration) == [])
        #expect(unmeasured.dimensions(of: .requestDuration).count == 1)
    }
}
#endif
