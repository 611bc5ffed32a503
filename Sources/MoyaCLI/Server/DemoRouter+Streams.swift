#if NIO
    import Foundation
    import Hummingbird

    // Streamed and compressed responses.
    extension DemoRouter {
        func addStreams(to router: Router<BasicRequestContext>) {
            router.get("readme") { request, _ in readme(request) }
            router.get("log") { _, _ in log() }
            router.get("activity") { request, _ in activity(request) }
        }

        private func readme(_ request: Request) -> Response {
            let isGzipTaken = request.headers[.acceptEncoding]?.contains("gzip") == true
            guard isGzipTaken, !faults.contains(.plainReadme), let readme = DemoData.gzippedReadme else {
                return text(DemoData.readme)
            }
            return Response(
                status: .ok,
                headers: [
                    .contentType: "text/plain; charset=utf-8", .contentEncoding: "gzip", .vary: "Accept-Encoding",
                ],
                body: .init(byteBuffer: .init(bytes: readme))
            )
        }

        /// Returns lines in pieces that may end inside of a line or character, which the client must reassemble.
        private func log() -> Response {
            let lines = faults.contains(.shortLog) ? DemoData.log.dropLast() : DemoData.log[...]
            let bytes = Array(lines.map { "\($0)\n" }.joined().utf8)
            return Response(
                status: .ok,
                headers: [.contentType: "text/plain; charset=utf-8"],
                body: ResponseBody { writer in
                    for start in stride(from: 0, to: bytes.count, by: 7) {
                        try await writer.write(ByteBuffer(bytes: bytes[start..<min(start + 7, bytes.count)]))
                    }
                    try await writer.finish(nil)
                }
            )
        }

        /// Returns the events after the client's last one, at most three per connection; 204 if there are none.
        private func activity(_ request: Request) -> Response {
            let last = Self.lastEventID.flatMap { request.headers[$0] }.flatMap { Int($0) } ?? 0
            let events = DemoData.activity.enumerated().dropFirst(max(0, last)).prefix(3)
            guard !events.isEmpty, !faults.contains(.lostEvents) || last == 0 else {
                return Response(status: .noContent)
            }
            let text = events.map { "id: \($0.offset + 1)\nevent: push\ndata: \($0.element)\n\n" }.joined()
            return Response(
                status: .ok,
                headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                // Shorter than the default of three seconds, as a person is waiting.
                body: .init(byteBuffer: .init(string: "retry: 100\n\n" + text))
            )
        }

        private static let lastEventID = HTTPFields.Element.Name("Last-Event-ID")
    }
#endif
