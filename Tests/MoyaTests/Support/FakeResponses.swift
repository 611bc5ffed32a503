import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

extension HTTPFields {
    /// Returns headers with the length of a body, and other headers.
    static func counted(_ length: Int, _ others: [String: String] = [:]) -> HTTPFields {
        var fields = HTTPFields()
        fields[.contentLength] = "\(length)"
        for (name, value) in others {
            if let name = HTTPField.Name(name) { fields[name] = value }
        }
        return fields
    }
}

extension Session {
    /// Returns a session that records the bodies of requests and responds with the same bodies.
    static func noting(_ sent: Recorder<String>) -> Session {
        Session(
            FakeTransport.reading { _, body in
                sent.add(String(decoding: body, as: UTF8.self))
                return TransportResponse(status: 200, body: .complete(body))
            }
        )
    }
}

extension MoyaProvider {
    /// Returns a provider whose response arrives in chunks.
    static func answering(
        _ chunks: [String],
        then end: BodySource.End = .regular,
        watch: BodySource.Watch = BodySource.Watch(),
        status: Int = 200,
        plugins: [any PluginType] = []
    ) -> MoyaProvider {
        MoyaProvider(
            session: Session(
                FakeTransport { request in
                    // With a limit of 0, the transport delivers the head before the body.
                    #expect(request.responseBufferLimit == 0)
                    return TransportResponse(
                        status: status,
                        headers: .counted(chunks.joined().utf8.count, ["X-Answer": "a"]),
                        body: BodySource.body(chunks, then: end, watch: watch)
                    )
                }
            ),
            plugins: plugins
        )
    }
}
