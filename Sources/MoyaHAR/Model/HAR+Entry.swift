import Foundation
import MoyaHTTP

extension HAR {
    /// One exchange: a request and its response or error.
    public struct Entry: Hashable, Sendable {
        /// The ``HAR/Page/id`` of the page of the exchange.
        public var pageref: String?
        /// The start of the request.
        public var startedDateTime: Date
        /// The total duration in milliseconds.
        public var time: Double
        /// The request.
        public var request: Request
        /// The response or error.
        public var response: Response
        /// The durations of the phases.
        public var timings: Timings
        /// The server's IP address, if known.
        public var serverIPAddress: String?
        /// The identifier of the connection, if known.
        public var connection: String?
        /// The source of the response, if it was recorded; `.cache` and `.stale` for a response without a request.
        public var source: ResponseSource?
        /// The messages of a WebSocket, in order; empty for other exchanges.
        ///
        /// It is the custom field `_webSocketMessages`, which Chrome writes, too.
        public var webSocketMessages: [WebSocketMessage] = []
        /// A comment.
        public var comment: String?
        /// Custom fields of other programs.
        var customFields = CustomFields()

        /// Creates an entry.
        public init(
            startedDateTime: Date,
            time: Double = 0,
            request: Request,
            response: Response,
            timings: Timings = Timings()
        ) {
            self.startedDateTime = startedDateTime
            self.time = time
            self.request = request
            self.response = response
            self.timings = timings
        }
    }

    /// The durations of an exchange's phases in milliseconds; -1 if a phase does not apply or is unknown.
    public struct Timings: Hashable, Sendable {
        /// Waiting for a connection.
        public var blocked: Double
        /// Resolving a host name.
        public var dns: Double
        /// Establishing a connection, including ``ssl``.
        public var connect: Double
        /// Sending the request.
        public var send: Double
        /// Waiting for the response's head.
        public var wait: Double
        /// Reading the response's body.
        public var receive: Double
        /// The TLS handshake, which is part of ``connect``.
        public var ssl: Double
        /// A comment.
        public var comment: String?
        /// Custom fields of other programs.
        var customFields = CustomFields()

        /// Creates timings; unknown ones by default.
        public init(
            blocked: Double = -1,
            dns: Double = -1,
            connect: Double = -1,
            send: Double = 0,
            wait: Double = 0,
            receive: Double = 0,
            ssl: Double = -1
        ) {
            self.blocked = blocked
            self.dns = dns
            self.connect = connect
            self.send = send
            self.wait = wait
            self.receive = receive
            self.ssl = ssl
        }

        /// The sum of the known durations.
        public var total: Double {
            [blocked, dns, connect, send, wait, receive].reduce(0) { $0 + max(0, $1) }
        }
    }
}

extension HAR.Entry: Codable {
    /// Decodes an entry.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        pageref = try container.text(.pageref)
        startedDateTime = try container.date(.startedDateTime)
        time = try container.number(.time) ?? -1
        request = try container.decode(HAR.Request.self, forKey: .request)
        // An entry has no response if the request failed or was still running.
        response = try container.value(.response, or: HAR.Response(status: 0, content: HAR.Content(size: -1)))
        timings = try container.value(.timings, or: HAR.Timings(send: -1, wait: -1, receive: -1))
        serverIPAddress = try container.text(.serverIPAddress)
        connection = try container.text(.connection)
        comment = container.textIfPossible(.comment)
        // Another program may use the name with a different meaning.
        // Other programs may use the name, too.
        webSocketMessages =
            (try? container.decodeIfPresent([HAR.WebSocketMessage].self, forKey: .webSocketMessages)) ?? []
        source = (try? container.decode(String.self, forKey: .source)).flatMap { ResponseSource(rawValue: $0) }
    }

    /// Encodes the entry.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(pageref, forKey: .pageref)
        try container.encode(ISO8601Date.text(of: startedDateTime), forKey: .startedDateTime)
        try container.encode(time, forKey: .time)
        try container.encode(request, forKey: .request)
        try container.encode(response, forKey: .response)
        // The format requires a `cache` object. An object that another program wrote is encoded with the custom fields.
        if !customFields.contains("cache") { try container.encode([String: String](), forKey: .cache) }
        try container.encode(timings, forKey: .timings)
        try container.encodeIfPresent(serverIPAddress, forKey: .serverIPAddress)
        try container.encodeIfPresent(connection, forKey: .connection)
        try container.encodeIfPresent(comment, forKey: .comment)
        try container.encodeIfPresent(source?.rawValue, forKey: .source)
        if !webSocketMessages.isEmpty { try container.encode(webSocketMessages, forKey: .webSocketMessages) }
        try customFields.encode(to: encoder)
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case pageref, startedDateTime, time, request, response, cache, timings, serverIPAddress, connection, comment
        case source = "_source"
        case webSocketMessages = "_webSocketMessages"
    }
}

extension HAR.Timings: Codable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case blocked, dns, connect, send, wait, receive, ssl, comment
    }

    /// Decodes timings.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        blocked = try container.number(.blocked) ?? -1
        dns = try container.number(.dns) ?? -1
        connect = try container.number(.connect) ?? -1
        send = try container.number(.send) ?? -1
        wait = try container.number(.wait) ?? -1
        receive = try container.number(.receive) ?? -1
        ssl = try container.number(.ssl) ?? -1
        comment = container.textIfPossible(.comment)
    }

    /// Encodes the timings.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(blocked, forKey: .blocked)
        try container.encode(dns, forKey: .dns)
        try container.encode(connect, forKey: .connect)
        try container.encode(send, forKey: .send)
        try container.encode(wait, forKey: .wait)
        try container.encode(receive, forKey: .receive)
        try container.encode(ssl, forKey: .ssl)
        try container.encodeIfPresent(comment, forKey: .comment)
        try customFields.encode(to: encoder)
    }
}
