import Foundation

extension HAR {
    /// One exchange: a request, and what came of it.
    public struct Entry: Hashable, Sendable {
        /// The ``HAR/Page/id`` of the page it belongs to.
        public var pageref: String?
        /// When the request began.
        public var startedDateTime: Date
        /// How long it took in all, in milliseconds.
        public var time: Double
        /// What was asked.
        public var request: Request
        /// What was answered.
        public var response: Response
        /// What the time was spent on.
        public var timings: Timings
        /// The server's address, if it is known.
        public var serverIPAddress: String?
        /// What tells connections apart, if it is known.
        public var connection: String?
        /// Anything.
        public var comment: String?
        /// Fields of another program's own.
        var own = OwnFields()

        /// Makes an entry.
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

    /// What the time of an exchange was spent on, in milliseconds. -1 stands for what does not apply or is not known.
    public struct Timings: Hashable, Sendable {
        /// Waiting for a connection.
        public var blocked: Double
        /// Resolving a host name.
        public var dns: Double
        /// Making a connection, with ``ssl``.
        public var connect: Double
        /// Sending the request.
        public var send: Double
        /// Waiting for the response's head.
        public var wait: Double
        /// Reading the response's body.
        public var receive: Double
        /// Making a connection secure, which is part of ``connect``.
        public var ssl: Double
        /// Anything.
        public var comment: String?
        /// Fields of another program's own.
        var own = OwnFields()

        /// Makes timings, by default of what is not known.
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

        /// The sum of what is known: the entry's time.
        public var total: Double {
            [blocked, dns, connect, send, wait, receive].reduce(0) { $0 + max(0, $1) }
        }
    }
}

extension HAR.Entry: Codable {
    /// Reads an entry.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        pageref = try container.decodeIfPresent(String.self, forKey: .pageref)
        startedDateTime = try container.date(.startedDateTime)
        time = try container.number(.time) ?? -1
        request = try container.decode(HAR.Request.self, forKey: .request)
        response = try container.decode(HAR.Response.self, forKey: .response)
        timings = try container.value(.timings, or: HAR.Timings(send: -1, wait: -1, receive: -1))
        serverIPAddress = try container.decodeIfPresent(String.self, forKey: .serverIPAddress)
        connection = try container.text(.connection)
        comment = try container.decodeIfPresent(String.self, forKey: .comment)
    }

    /// Writes the entry.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(pageref, forKey: .pageref)
        try container.encode(ISO8601Date.text(of: startedDateTime), forKey: .startedDateTime)
        try container.encode(time, forKey: .time)
        try container.encode(request, forKey: .request)
        try container.encode(response, forKey: .response)
        // What a cache had is not kept; the format asks for an object.
        try container.encode([String: String](), forKey: .cache)
        try container.encode(timings, forKey: .timings)
        try container.encodeIfPresent(serverIPAddress, forKey: .serverIPAddress)
        try container.encodeIfPresent(connection, forKey: .connection)
        try container.encodeIfPresent(comment, forKey: .comment)
        try own.encode(to: encoder)
    }

    private enum CodingKeys: String, CodingKey {
        case pageref, startedDateTime, time, request, response, cache, timings, serverIPAddress, connection, comment
    }
}

extension HAR.Timings: Codable {
    private enum CodingKeys: String, CodingKey {
        case blocked, dns, connect, send, wait, receive, ssl, comment
    }

    /// Reads timings.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        blocked = try container.number(.blocked) ?? -1
        dns = try container.number(.dns) ?? -1
        connect = try container.number(.connect) ?? -1
        send = try container.number(.send) ?? -1
        wait = try container.number(.wait) ?? -1
        receive = try container.number(.receive) ?? -1
        ssl = try container.number(.ssl) ?? -1
        comment = try container.decodeIfPresent(String.self, forKey: .comment)
    }

    /// Writes the timings.
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
        try own.encode(to: encoder)
    }
}
