import Foundation
import NIOCore

/// A server of one file that supports ranges (RFC 9110, section 14), and can break responses off.
public final class DownloadServer: Sendable {
    /// The file of the server, and its behavior.
    public struct Settings: Sendable {
        /// The validator of a version.
        public enum Validator: Sendable {
            /// `ETag: "v0"`.
            case strongTag
            /// `ETag: W/"v0"`.
            case weakTag
            /// `Last-Modified` of yesterday.
            case date
            /// `Last-Modified` of this second.
            case recentDate
            /// No validator.
            case none
        }

        /// The response to a `Range`.
        public enum Ranges: Sendable {
            /// The requested range.
            case honored
            /// 200 with the whole file.
            case ignored
            /// 206 with a range that begins one byte later.
            case displaced
            /// 206 with the tag of another version.
            case ofAnotherVersion
            /// 416 for any range.
            case refused
            /// 503.
            case unavailable
            /// 206 with at most this number of bytes of the range.
            case limited(Int)
        }

        /// The length of the file in bytes.
        public var length: Int
        /// The validator of a version.
        public var validator = Validator.strongTag
        /// The response to a `Range`.
        public var ranges = Ranges.honored
        /// Whether the length is declared.
        public var declaresLength = true
        /// The numbers of bytes after which the bodies of the first responses break off; later responses are complete.
        public var breaksOffAfter: [Int] = []
        /// The number of bytes after which the bodies of all later responses break off; `nil` if they are complete.
        public var alwaysBreaksOffAfter: Int?
        /// The number, from 0, of the first response with another version of the file.
        public var changesAt: Int?
        /// Whether each response has another version of the file.
        public var changesEachTime = false
        /// Further headers of each response.
        public var headers: [String] = []

        /// Creates the settings of a server without faults.
        public init(length: Int, _ change: (inout Settings) -> Void = { _ in }) {
            self.length = length
            change(&self)
        }
    }

    /// The heads of all requests.
    public var heads: [RequestHead] { get async { await record.heads } }

    private let record: Record
    private let server: RawServer

    /// Starts a server.
    public init(_ settings: Settings) async throws {
        let record = Record(settings)
        server = try await RawServer { connection in
            while let head = try await connection.head() {
                _ = try await connection.body()
                let answer = await record.response(to: head)
                guard try await answer.write(on: connection.writer) else { return }
            }
        }
        self.record = record
    }

    /// The URL of the file.
    public func url(_ path: String = "/file.bin") -> URL { server.url(path) }

    /// Changes the behavior; the numbering of responses continues.
    public func change(_ settings: Settings) async { await record.set(settings) }

    /// Stops listening and closes all connections.
    public func shutDown() async { await server.shutDown() }

    private actor Record {
        private(set) var heads: [RequestHead] = []
        private var settings: Settings
        /// The time at which the record was created, which the server uses as the current time.
        private let clock = Date()

        init(_ settings: Settings) { self.settings = settings }

        func set(_ settings: Settings) { self.settings = settings }

        func response(to head: RequestHead) -> Response {
            let number = heads.count
            heads.append(head)
            let version =
                settings.changesEachTime ? number : settings.changesAt.map { number < $0 ? 0 : 1 } ?? 0
            var response = Response(settings, to: head, version: version, clock: clock)
            if settings.breaksOffAfter.indices.contains(number) {
                response.breaksOffAfter = settings.breaksOffAfter[number]
            } else {
                response.breaksOffAfter = settings.alwaysBreaksOffAfter
            }
            return response
        }
    }
}

extension DownloadServer {
    /// A response.
    private struct Response {
        private var status = "200 OK"
        private var headers: [String] = []
        /// The range of the file that is sent.
        private var range: Range<Int>
        private let isChunked: Bool
        private let hasBody: Bool
        private let version: Int
        var breaksOffAfter: Int?

        private static let pieceLength = 32_768

        init(_ settings: Settings, to head: RequestHead, version: Int, clock: Date) {
            self.version = version
            range = 0..<settings.length
            hasBody = head.method != "HEAD"
            isChunked = !settings.declaresLength
            let now = Self.date(clock)
            headers = ["Date: \(now)", "Accept-Ranges: bytes"] + settings.headers
            let tag: String? =
                switch settings.validator {
                case .strongTag: "\"v\(version)\""
                case .weakTag: "W/\"v\(version)\""
                case .date, .recentDate, .none: nil
                }
            let modified: String? =
                switch settings.validator {
                case .date: Self.date(clock.addingTimeInterval(-86_400 * Double(2 - version)))
                case .recentDate: now
                case .strongTag, .weakTag, .none: nil
                }
            if let modified { headers.append("Last-Modified: \(modified)") }
            var sentTag = tag
            if let start = Self.start(of: head, current: [tag, modified]) {
                switch settings.ranges {
                case .honored where start < settings.length: setRange(from: start, of: settings)
                case .limited(let most) where start < settings.length: setRange(from: start, most: most, of: settings)
                case .honored, .limited, .refused: refuseRange(settings)
                case .ignored: break
                case .displaced: setRange(from: start + 1, of: settings)
                case .ofAnotherVersion:
                    setRange(from: start, of: settings)
                    sentTag = "\"another\""
                case .unavailable:
                    status = "503 Service Unavailable"
                    range = 0..<0
                }
            }
            if let sentTag { headers.append("ETag: \(sentTag)") }
            headers.append(isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(range.count)")
        }

        private mutating func setRange(from start: Int, most: Int = .max, of settings: Settings) {
            status = "206 Partial Content"
            range = start..<start + min(most, settings.length - start)
            headers.append("Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(settings.length)")
        }

        private mutating func refuseRange(_ settings: Settings) {
            status = "416 Range Not Satisfiable"
            range = 0..<0
            headers.append("Content-Range: bytes */\(settings.length)")
        }

        /// Writes the response and returns whether it is complete.
        func write(on writer: RawWriter) async throws -> Bool {
            try await writer.write((["HTTP/1.1 \(status)"] + headers + ["", ""]).joined(separator: "\r\n"))
            guard hasBody else { return true }
            let pattern = Pattern(version: version)
            let end = range.lowerBound + min(range.count, breaksOffAfter ?? .max)
            for start in stride(from: range.lowerBound, to: end, by: Self.pieceLength) {
                let piece = pattern.bytes(start..<min(start + Self.pieceLength, end))
                if isChunked { try await writer.writeChunk(piece) } else { try await writer.write(piece) }
            }
            guard end == range.upperBound else { return false }
            if isChunked { try await writer.write("0\r\n\r\n") }
            return true
        }

        /// Returns the start of the requested range, if the request's condition holds (RFC 9110, section 13.1.5).
        private static func start(of head: RequestHead, current validators: [String?]) -> Int? {
            guard head.method == "GET", let range = head["range"], range.hasPrefix("bytes="), range.hasSuffix("-"),
                let start = Int(range.dropFirst(6).dropLast())
            else { return nil }
            if let condition = head["if-range"], !validators.contains(condition) { return nil }
            return start
        }

        /// Returns a date in the form of RFC 9110, section 5.6.7.
        private static func date(_ date: Date) -> String {
            let format = DateFormatter()
            format.locale = Locale(identifier: "en_US_POSIX")
            format.timeZone = TimeZone(identifier: "GMT")
            format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            return format.string(from: date)
        }
    }
}
