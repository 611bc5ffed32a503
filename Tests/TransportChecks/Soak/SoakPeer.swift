#if NIO && !canImport(Darwin)
import Foundation
import MoyaHTTP
import TestSupport

/// A soak against nginx, which `scripts/check/soak` starts: its connections end after a few requests or a second, and it
/// loads its configuration again every few seconds.
package struct SoakPeer: Sendable {
    package var address: PeerAddress
    package var isHTTP2: Bool
    package var requests: Int
    package var concurrency = 64
    package var seed: UInt64 = 1

    package init(_ address: PeerAddress, isHTTP2: Bool, requests: Int) {
        self.address = address
        self.isHTTP2 = isHTTP2
        self.requests = requests
    }

    package func run() async throws -> SoakRun.Report {
        guard let base = address.urls["main"] else { throw CheckFailure("there is no server \"main\"") }
        let prefix = "\(UInt32.random(in: .min ... .max))-"
        let name = "nginx, \(isHTTP2 ? "HTTP/2" : "HTTP/1.1")"
        let load = SoakLoad(name: name, requests: requests, concurrency: concurrency, hangLimit: .seconds(120))
        let transport = try SoakLoad.transport(authority: address.authority, isHTTP2: isHTTP2)
        let session = SoakLoad.session(transport)
        let process = address.reloadedProcess
        let reloads = Task {
            while (try? await Task.sleep(for: .seconds(3))) != nil { if let process { kill(process, SIGHUP) } }
        }
        defer { reloads.cancel() }
        let responded = Tally()
        var report = try await load.run { number, tally in
            var random = SeededGenerator(seed: seed, stream: isHTTP2 ? 4 : 3, number: UInt64(number))
            // Some pauses are longer than nginx waits.
            if random.oneIn(2_000) { try? await Task.sleep(for: .milliseconds(1_000 + random.below(40))) }
            let request = SoakRequest(number, mayStall: false, using: &random)
            let path = request.isPOST ? "/once?id=\(prefix)\(number)" : "/ok"
            guard let url = URL(string: path, relativeTo: base)?.absoluteURL else { return }
            let (label, _) = await request.send(to: url, over: session)
            let isUndisturbed = request.cancellation == nil && request.timeout >= .seconds(1)
            tally.add(isUndisturbed ? "\(request.isPOST ? "POST" : "GET") \(label)" : "cut short \(label)")
            if request.isPOST, label == "200" { responded.add("POST") }
        }
        guard let url = URL(string: "/duplicates?prefix=\(prefix)", relativeTo: base)?.absoluteURL else {
            return report
        }
        // By the session, because nginx may end the connection before it processes this request.
        let response = try await session.data(for: URLRequest(url: url))
        await transport.shutdown()
        let numbers = String(decoding: response.data, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 2 else { throw CheckFailure("no count of duplicates") }
        report.summary +=
            "; \(numbers[0]) POSTs received, \(numbers[1]) of them twice, \(responded["POST"]) responded to"
        if numbers[1] > 0 { report.failures.append("\(numbers[1]) POSTs received twice") }
        if numbers[0] < responded["POST"] { report.failures.append("responses to POSTs that were not received") }
        return report
    }
}
#endif
