#if NIO && !canImport(Darwin)
import HTTPTypes
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("The header section of an HTTP/2 request is made from a message (RFC 9113, section 8)")
struct HTTP2RequestHeadTests {
    private func head(_ fields: [HTTPField]) -> HTTP2RequestHead {
        HTTP2RequestHead(
            OutboundMessage(
                method: "GET",
                target: "/",
                authority: "h",
                headers: HTTPFields(fields),
                framing: .none,
                body: .none
            )
        )
    }

    @Test(
        "TE over HTTP/2 has no other value than `trailers`, and no Connection field is sent",
        arguments: [
            (["trailers"], ["trailers"]), (["Trailers"], ["trailers"]), (["gzip;q=0.5, trailers"], ["trailers"]),
            (["trailers", "trailers"], ["trailers"]), (["gzip"], []), ([""], []),
        ] as [([String], [String])]
    )
    func acceptedTrailers(values: [String], sent: [String]) {
        let head = head(
            values.map { HTTPField(name: .te, value: $0) } + [HTTPField(name: .connection, value: "TE")]
        )
        #expect(head.fields["te"] == sent)
        #expect(head.fields["connection"].isEmpty)
    }

    @Test("the values of an HTTP/2 request have no spaces or tabs around them")
    func values() {
        let name = HTTPField.Name("x-a") ?? .accept
        let fields = [
            HTTPField(name: name, value: " a b\t"), HTTPField(name: name, value: Array("\ta b ".utf8)),
            HTTPField(name: name, lenientValue: Array(" a b\t".utf8)), HTTPField(name: name, value: " "),
        ]
        #expect(head(fields).fields["x-a"] == ["a b", "a b", "a b", ""])
        let bytes = head([HTTPField(name: name, lenientValue: [0x20, 0xE9, 0x09])]).byteFields
        #expect(bytes.map(\.bytes) == [[0xE9]])
    }

    @Test("trailers of an HTTP/2 request have names in lower case, no pseudo-headers, and any bytes")
    func trailers() {
        let name = HTTPField.Name("X-SuM") ?? .accept
        var fields: HTTPFields = [name: "a\u{e9}", .eTag: "b"]
        fields.append(HTTPField(name: name, lenientValue: [0x20, 0xE9]))
        let section = HTTP2RequestHead(trailers: fields)
        #expect(section.fields.map { $0.name } == ["x-sum", "etag"])
        #expect(section.fields["x-sum"] == ["a\u{e9}"])
        #expect(section.byteFields.map(\.bytes) == [[0xE9]])
        // "é" has two bytes, and each field counts for 32 more.
        #expect(section.listSize == (5 + 3 + 32) + (4 + 1 + 32) + (5 + 1 + 32))
    }
}
#endif
