#if NIO
import Foundation
import HTTPTypes

// These routes send streamed and compressed responses.
extension DemoRouter {
    func readme(_ request: Request) -> Response {
        let isGzipTaken = request.head["accept-encoding"]?.contains("gzip") == true
        guard isGzipTaken, !faults.contains(.plainReadme), let readme = DemoData.gzippedReadme else {
            return text(DemoData.readme)
        }
        return Response(
            headers: [
                .contentType: "text/plain; charset=utf-8", .contentEncoding: "gzip", .vary: "Accept-Encoding",
            ],
            body: .bytes(readme)
        )
    }

    /// Returns lines in pieces that may end within a line or a character, which the client must reassemble.
    func log() -> Response {
        let lines = faults.contains(.shortLog) ? DemoData.log.dropLast() : DemoData.log[...]
        let bytes = Array(lines.map { "\($0)\n" }.joined().utf8)
        return Response(
            headers: [.contentType: "text/plain; charset=utf-8"],
            body: .stream(length: nil) { writer in
                for start in stride(from: 0, to: bytes.count, by: 7) {
                    try await writer.write(Data(bytes[start..<min(start + 7, bytes.count)]))
                }
            }
        )
    }

    /// Returns the events after the client's last one, at most three per connection; 204 if there are none.
    func activity(_ request: Request) -> Response {
        let last = request.head["last-event-id"].flatMap { Int($0) } ?? 0
        let events = DemoData.activity.enumerated().dropFirst(max(0, last)).prefix(3)
        guard !events.isEmpty, !faults.contains(.lostEvents) || last == 0 else {
            return Response(.noContent)
        }
        let text = events.map { "id: \($0.offset + 1)\nevent: push\ndata: \($0.element)\n\n" }.joined()
        return Response(
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            // The delay is shorter than the default of three seconds, because a person is waiting.
            text: "retry: 100\n\n" + text
        )
    }
}
#endif
