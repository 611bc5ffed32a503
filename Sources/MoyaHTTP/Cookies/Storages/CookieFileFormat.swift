import Foundation

/// The content of a cookie file: JSON with a format number.
///
/// The number changes if older versions of the library would misread a newer file; additions do not change it.
enum CookieFileFormat {
    static let number = 1

    enum Failure: Error, Equatable {
        case damaged(String)
        case newer(Int)
    }

    static func encode(_ cookies: [Cookie]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(Content(format: number, cookies: cookies.map(Record.init)))
    }

    static func decode(_ data: Data) throws(Failure) -> [Cookie] {
        let decoder = JSONDecoder()
        do {
            let header = try decoder.decode(Header.self, from: data)
            guard header.format == number else {
                throw header.format > number ? .newer(header.format) : Failure.damaged("its format is unknown")
            }
            return try decoder.decode(Content.self, from: data).cookies.map(\.cookie)
        } catch let failure as Failure {
            throw failure
        } catch {
            // The decoder's error may include a value.
            throw .damaged("it is not a list of cookies")
        }
    }

    private struct Header: Decodable {
        let format: Int
    }

    private struct Content: Codable {
        let format: Int
        let cookies: [Record]
    }

    private struct Record: Codable {
        var name: String
        var value: String
        var domain: String
        var hostOnly: Bool
        var path: String
        /// A time in seconds since 1970, like the other times.
        var expires: Double?
        var creation: Double
        var lastAccess: Double
        var secure: Bool
        var httpOnly: Bool
        var sameSite: String

        init(_ cookie: Cookie) {
            name = cookie.name
            value = cookie.value
            domain = cookie.domain
            hostOnly = cookie.isHostOnly
            path = cookie.path
            expires = cookie.expires?.timeIntervalSince1970
            creation = cookie.creation.timeIntervalSince1970
            lastAccess = cookie.lastAccess.timeIntervalSince1970
            secure = cookie.isSecure
            httpOnly = cookie.isHTTPOnly
            sameSite = cookie.sameSite.rawValue
        }

        var cookie: Cookie {
            var cookie = Cookie(
                name: name,
                value: value,
                domain: domain,
                isHostOnly: hostOnly,
                path: path,
                expires: expires.map(Date.init(timeIntervalSince1970:)),
                isSecure: secure,
                isHTTPOnly: httpOnly,
                // An unknown policy of a newer version is treated as the strictest.
                sameSite: Cookie.SameSite(rawValue: sameSite) ?? .strict,
                creation: Date(timeIntervalSince1970: creation)
            )
            cookie.lastAccess = Date(timeIntervalSince1970: lastAccess)
            return cookie
        }
    }
}
