import Foundation
import Moya

/// The data of the demo's API, which the server returns and the steps expect.
enum DemoData {
    static let zen = "Half measures are as bad as nothing at all."

    /// A token that is not secret, but that the transcript must mask like a real token.
    static let token = "demo-9f2c41d07be8"

    static let owner = user("ashfurrow")

    static func user(_ login: String) -> User { User(login: login, id: 100, name: "The user \(login)") }

    /// The repositories sorted by name, the server's default order.
    static let repositories = [
        Repository(name: "Aerodramus", pushedAt: Date(timeIntervalSince1970: 1_650_000_000)),
        Repository(name: "Eidolon", pushedAt: Date(timeIntervalSince1970: 1_550_000_000)),
        Repository(name: "Moya", pushedAt: Date(timeIntervalSince1970: 1_750_000_000)),
    ]

    static let branches = [
        Branch(name: "development", protected: false),
        Branch(name: "master", protected: true),
        Branch(name: "release", protected: true),
    ]

    static let emojis = ["wave": "👋", "tada": "🎉", "rocket": "🚀"]
    static let emojisTag = #""emojis-1""#

    static let readme = String(
        repeating: "Moya turns an enum of targets into requests, and answers into values.\n",
        count: 64
    )

    static let gzippedReadme = try? GzipEncoder.encode(Data(readme.utf8))

    static let log = [
        "build 42 started", "compiled 312 files", "3 tests: naïve, 日本語, 🙂", "", "build 42 succeeded",
    ]

    /// The events in order; the ID of each is its number.
    static let activity = ["aurora", "borealis", "corona", "dawn", "equinox"]
}
