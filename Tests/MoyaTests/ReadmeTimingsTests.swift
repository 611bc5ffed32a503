import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

// This file has every line of the Swift blocks in Documentation/Timings.md, and those of Documentation/Observability.md that need no
// trait, and the tests run them.

extension ReadmeTests {
    @Test("the documentation's examples of timings run")
    func timings() async throws {
        /// A provider whose requests get a response without a network.
        struct MoyaProvider<Target: TargetType> {
            let session: Session

            func request(_ target: Target) async throws -> Moya.Response {
                let session = Session(
                    transport: FakeTransport.body("zen"),
                    options: SessionOptions(collectsMetrics: true)
                )
                return try await Moya.MoyaProvider<Target>(session: session).request(target)
            }
        }
        let provider = MoyaProvider<GitHub>(session: Session(options: SessionOptions(collectsMetrics: true)))
        let response = try await provider.request(.zen)
        for exchange in response.metrics?.exchanges ?? [] {
            let times = exchange.timings
            print(exchange.url, times.lookup?.duration ?? .zero, times.tls?.duration ?? .zero, times.wait ?? .zero)
            #expect(exchange.url.path == "/zen" && times.ended != nil && times.lookup == nil)
        }
        #expect(response.metrics?.exchanges.count == 1)
        let stubs = Moya.MoyaProvider<GitHub>(
            stubClosure: Moya.MoyaProvider.immediatelyStub,
            session: Session(options: SessionOptions(collectsMetrics: true))
        )
        #expect(try await stubs.request(.zen).metrics == nil)
    }

    @Test("the documentation's monitor of phases is called")
    func phases() async throws {
        struct Phases: EventMonitor {
            let detail = RequestEvent.Detail.phases
            let printed = Recorder<String>()

            func record(_ event: RequestEvent) {
                func print(_ id: UUID, _ first: Any, _ second: Any? = nil) { printed.add("\(second ?? first)") }
                switch event.kind {
                case .phase(let phase): print(event.id, event.instant, phase)
                case .finished, .failed: print(event.id, event.metrics?.duration ?? .zero)
                default: break
                }
            }
        }
        let observed = Session(eventMonitors: [Phases()])
        #expect(observed.eventMonitors.count == 1)
        let phases = Phases()
        let session = Session(transport: FakeTransport.body("zen"), eventMonitors: [phases])
        let url = try #require(URL(string: "https://example.com"))
        #expect(try await session.data(for: URLRequest(url: url)).metrics?.duration != nil)
        #expect(phases.printed.values.first?.hasPrefix("responseStarted") == true)
        #expect(phases.printed.values.count >= 4)
    }

    @Test("the documentation's example of a readiness check runs")
    func readiness() async throws {
        let session = Session(transport: FakeTransport.body("zen"))
        func isReady() -> Bool { session.status.phase == .open }

        func waitingRequests() -> Int { session.status.transport?.waitingRequests ?? 0 }
        #expect(isReady() && waitingRequests() == 0)
    }
}
