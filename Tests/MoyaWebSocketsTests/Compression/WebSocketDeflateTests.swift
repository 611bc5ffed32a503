import Foundation
import Testing

@testable import MoyaWebSockets

@Suite("Compression is negotiated (RFC 7692, section 7.1)")
struct WebSocketDeflateTests {
    @Test(
        "offers",
        arguments: [
            (WebSocketCompression(), "permessage-deflate; client_max_window_bits"),
            (WebSocketCompression(clientWindowBits: 9), "permessage-deflate; client_max_window_bits=9"),
            (
                WebSocketCompression(
                    serverWindowBits: 10,
                    clientNoContextTakeover: true,
                    serverNoContextTakeover: true
                ),
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=10; client_max_window_bits"
            ),
        ]
    )
    func offers(_ compression: WebSocketCompression, _ offer: String) {
        #expect(compression.offer == offer)
    }

    @Test(
        "a window for compression has 9 to 15 bits",
        arguments: [(8, false), (9, true), (15, true), (16, false), (-1, false)]
    )
    func windowBits(_ bits: Int, _ isValid: Bool) {
        for compression in [WebSocketCompression(clientWindowBits: bits), WebSocketCompression(serverWindowBits: bits)]
        {
            let result = Result { () throws(WebSocketError) in try compression.check() }
            if isValid {
                #expect(throws: Never.self) { try result.get() }
            } else {
                #expect(throws: WebSocketError.invalidOptions(.windowBits(bits))) { try result.get() }
            }
        }
    }

    private static func deflate(
        _ clientBits: Int = 15,
        _ serverBits: Int = 15,
        client: Bool = false,
        server: Bool = false
    ) -> WebSocketDeflate {
        var deflate = WebSocketDeflate()
        (deflate.clientWindowBits, deflate.serverWindowBits) = (clientBits, serverBits)
        (deflate.clientNoContextTakeover, deflate.serverNoContextTakeover) = (client, server)
        return deflate
    }

    @Test(
        "valid responses to an offer",
        arguments: [
            ("", WebSocketCompression(), nil),
            (" , ", WebSocketCompression(), nil),
            ("permessage-deflate", WebSocketCompression(), deflate()),
            (" permessage-deflate ;server_no_context_takeover", WebSocketCompression(), deflate(server: true)),
            ("permessage-deflate; client_no_context_takeover", WebSocketCompression(), deflate(client: true)),
            ("permessage-deflate", WebSocketCompression(clientNoContextTakeover: true), deflate(client: true)),
            ("permessage-deflate; client_max_window_bits=9", WebSocketCompression(), deflate(9)),
            ("permessage-deflate; client_max_window_bits=8", WebSocketCompression(), deflate(8)),
            ("permessage-deflate; client_max_window_bits=\"10\"", WebSocketCompression(), deflate(10)),
            ("permessage-deflate; client_max_window_bits=15", WebSocketCompression(clientWindowBits: 12), deflate(12)),
            ("permessage-deflate; client_max_window_bits=9", WebSocketCompression(clientWindowBits: 12), deflate(9)),
            ("permessage-deflate", WebSocketCompression(clientWindowBits: 12), deflate(12)),
            ("permessage-deflate; server_max_window_bits=8", WebSocketCompression(), deflate(15, 8)),
            (
                "permessage-deflate; server_max_window_bits=10", WebSocketCompression(serverWindowBits: 10),
                deflate(15, 10)
            ),
            (
                "permessage-deflate; server_max_window_bits=9", WebSocketCompression(serverWindowBits: 10),
                deflate(15, 9)
            ),
            (
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=12; client_max_window_bits=11",
                WebSocketCompression(serverNoContextTakeover: true), deflate(11, 12, client: true, server: true)
            ),
        ] as [(String, WebSocketCompression, WebSocketDeflate?)]
    )
    func validResponses(_ value: String, _ offer: WebSocketCompression, _ expected: WebSocketDeflate?) throws {
        #expect(try WebSocketDeflate.parse(response: value, to: offer) == expected)
    }

    @Test(
        "responses that do not fit the offer",
        arguments: [
            ("permessage-deflate", nil),
            ("permessage-bzip2", WebSocketCompression()),
            ("Permessage-Deflate", WebSocketCompression()),
            ("permessage-deflate, permessage-deflate", WebSocketCompression()),
            ("permessage-deflate, foo", WebSocketCompression()),
            ("permessage-deflate; foo", WebSocketCompression()),
            ("permessage-deflate; server_no_context_takeover=1", WebSocketCompression()),
            ("permessage-deflate; client_no_context_takeover; client_no_context_takeover", WebSocketCompression()),
            ("permessage-deflate; client_max_window_bits", WebSocketCompression()),
            ("permessage-deflate; client_max_window_bits=7", WebSocketCompression()),
            ("permessage-deflate; client_max_window_bits=16", WebSocketCompression()),
            ("permessage-deflate; client_max_window_bits=09", WebSocketCompression()),
            ("permessage-deflate; client_max_window_bits=+9", WebSocketCompression()),
            ("permessage-deflate; server_max_window_bits", WebSocketCompression()),
            ("permessage-deflate; server_max_window_bits=x", WebSocketCompression()),
            ("permessage-deflate; server_max_window_bits=11", WebSocketCompression(serverWindowBits: 10)),
            ("permessage-deflate", WebSocketCompression(serverWindowBits: 10)),
            ("permessage-deflate", WebSocketCompression(serverNoContextTakeover: true)),
            ("permessage-deflate; ", WebSocketCompression()),
            ("permessage-deflate; =9", WebSocketCompression()),
            ("permessage-deflate; server_max_window_bits=\"9", WebSocketCompression()),
            ("permessage-deflate foo", WebSocketCompression()),
            ("=", WebSocketCompression()),
        ] as [(String, WebSocketCompression?)]
    )
    func invalidResponses(_ value: String, _ offer: WebSocketCompression?) {
        #expect(throws: WebSocketError.invalidUpgrade(.extensions(value))) {
            try WebSocketDeflate.parse(response: value, to: offer)
        }
    }
}
