/// The compression of messages that a client offers (RFC 7692, `permessage-deflate`).
///
/// A server need not accept the offer. Compression needs up to 300 KiB of memory for each connection; fewer bits for the windows, and
/// no context takeover, need less.
public struct WebSocketCompression: Hashable, Sendable {
    /// zlib's level: 1 (fastest) to 9 (smallest); `nil` for zlib's default.
    public var level: Int?
    /// The size in bytes from which a message is compressed; shorter ones rarely become smaller.
    public var minimumSize: Int
    /// The base-2 logarithm of the size of the window with which this side compresses, in 9...15.
    ///
    /// The server may choose a smaller one.
    public var clientWindowBits: Int
    /// The base-2 logarithm of the size of the window with which the server may compress, in 9...15.
    ///
    /// A server that does not support the limit refuses the offer, unless the limit is 15.
    public var serverWindowBits: Int
    /// Whether this side compresses each message without the ones before it.
    ///
    /// The server may require it, too.
    public var clientNoContextTakeover: Bool
    /// Whether the server must compress each message without the ones before it.
    public var serverNoContextTakeover: Bool

    /// Creates an offer.
    ///
    /// The defaults are those of browsers: windows of 32 KiB, and context takeover.
    public init(
        level: Int? = nil,
        minimumSize: Int = 64,
        clientWindowBits: Int = 15,
        serverWindowBits: Int = 15,
        clientNoContextTakeover: Bool = false,
        serverNoContextTakeover: Bool = false
    ) {
        self.level = level
        self.minimumSize = minimumSize
        self.clientWindowBits = clientWindowBits
        self.serverWindowBits = serverWindowBits
        self.clientNoContextTakeover = clientNoContextTakeover
        self.serverNoContextTakeover = serverNoContextTakeover
    }
}

extension WebSocketCompression {
    /// Checks the values.
    ///
    /// - Throws: ``WebSocketError/invalidOptions(_:)``.
    package func check() throws(WebSocketError) {
        for bits in [clientWindowBits, serverWindowBits] where !(9...15).contains(bits) {
            throw .invalidOptions(.windowBits(bits))
        }
    }

    /// The offer, as an element of `Sec-WebSocket-Extensions`.
    package var offer: String {
        var parameters = ["permessage-deflate"]
        if serverNoContextTakeover { parameters.append("server_no_context_takeover") }
        if clientNoContextTakeover { parameters.append("client_no_context_takeover") }
        if serverWindowBits < 15 { parameters.append("server_max_window_bits=\(serverWindowBits)") }
        // The server may limit the window only if the parameter is offered (section 7.1.2.2).
        parameters.append(
            clientWindowBits < 15 ? "client_max_window_bits=\(clientWindowBits)" : "client_max_window_bits"
        )
        return parameters.joined(separator: "; ")
    }
}

/// The parameters of the compression on which both sides have agreed (RFC 7692, section 7.1).
package struct WebSocketDeflate: Equatable, Sendable {
    /// The bits of the window with which the client compresses.
    package var clientWindowBits = 15
    /// The bits of the window with which the server compresses.
    package var serverWindowBits = 15
    package var clientNoContextTakeover = false
    package var serverNoContextTakeover = false

    /// Creates parameters.
    package init() {}

    /// Parses the extensions of a server's response; returns `nil` if it has accepted none.
    ///
    /// - Parameters:
    ///   - value: The value of `Sec-WebSocket-Extensions`, with several lines joined by commas.
    ///   - offer: The offer; `nil` if there was none.
    /// - Returns: The parameters.
    /// - Throws: ``WebSocketError/invalidUpgrade(_:)`` if the response does not fit the offer, as section 7.1 requires.
    package static func parse(
        response value: String,
        to offer: WebSocketCompression?
    ) throws(WebSocketError) -> WebSocketDeflate? {
        guard let extensions = WebSocketExtension.list(value) else { throw .invalidUpgrade(.extensions(value)) }
        guard let accepted = extensions.first else { return nil }
        guard let offer, extensions.count == 1, let deflate = WebSocketDeflate(accepted, offer: offer) else {
            throw .invalidUpgrade(.extensions(value))
        }
        return deflate
    }

    private init?(_ accepted: WebSocketExtension, offer: WebSocketCompression) {
        guard accepted.name == "permessage-deflate" else { return nil }
        var names: Set<String> = []
        for (name, value) in accepted.parameters {
            guard names.insert(name).inserted else { return nil }
            switch (name, value) {
            case ("server_no_context_takeover", nil): serverNoContextTakeover = true
            case ("client_no_context_takeover", nil): clientNoContextTakeover = true
            case ("server_max_window_bits", let value?):
                guard let bits = Self.windowBits(value), bits <= offer.serverWindowBits else { return nil }
                serverWindowBits = bits
            case ("client_max_window_bits", let value?):
                guard let bits = Self.windowBits(value) else { return nil }
                clientWindowBits = bits
            default:
                return nil
            }
        }
        // A server that accepts these parts of the offer must repeat them (sections 7.1.1.1 and 7.1.2.1).
        guard serverNoContextTakeover || !offer.serverNoContextTakeover, serverWindowBits <= offer.serverWindowBits
        else {
            return nil
        }
        clientWindowBits = min(clientWindowBits, offer.clientWindowBits)
        clientNoContextTakeover = clientNoContextTakeover || offer.clientNoContextTakeover
    }

    /// Parses the bits of a window: a number in 8...15 without leading zeros (section 7.1.2).
    private static func windowBits(_ text: String) -> Int? {
        guard let bits = Int(text), (8...15).contains(bits), String(bits) == text else { return nil }
        return bits
    }
}

/// An element of `Sec-WebSocket-Extensions` (RFC 6455, section 9.1).
struct WebSocketExtension: Equatable {
    let name: String
    let parameters: [(name: String, value: String?)]

    static func == (lhs: WebSocketExtension, rhs: WebSocketExtension) -> Bool {
        lhs.name == rhs.name && lhs.parameters.elementsEqual(rhs.parameters, by: ==)
    }

    /// Parses a list; `nil` if it is invalid.
    static func list(_ text: String) -> [WebSocketExtension]? {
        var reader = FieldReader(text.utf8)
        var extensions: [WebSocketExtension] = []
        while true {
            reader.skip { $0 == .comma || $0.isFieldSpace }
            if reader.isAtEnd { return extensions }
            guard let name = reader.takeToken() else { return nil }
            var parameters: [(name: String, value: String?)] = []
            reader.skipSpace()
            while reader.skipIf(.semicolon) {
                reader.skipSpace()
                guard let parameter = reader.takeExtensionParameter() else { return nil }
                parameters.append(parameter)
                reader.skipSpace()
            }
            guard reader.isAtEnd || reader.next == .comma else { return nil }
            extensions.append(WebSocketExtension(name: name, parameters: parameters))
        }
    }
}

extension FieldReader {
    /// Reads a token; `nil` if there is none.
    fileprivate mutating func takeToken() -> String? {
        let token = take(while: \.isToken)
        return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
    }

    /// Reads a parameter with or without a value, which is a token or a quoted token; `nil` if it is invalid.
    fileprivate mutating func takeExtensionParameter() -> (name: String, value: String?)? {
        guard let name = takeToken() else { return nil }
        skipSpace()
        guard skipIf(.equals) else { return (name, nil) }
        skipSpace()
        guard skipIf(.quote) else { return takeToken().map { (name, $0) } }
        let (content, isTerminated) = takeQuoted()
        guard isTerminated, !content.isEmpty, content.allSatisfy(\.isToken) else { return nil }
        return (name, String(decoding: content, as: UTF8.self))
    }
}
