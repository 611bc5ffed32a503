#if Macros
import MoyaMacros

/// A user.
public struct User: Codable, Hashable, Sendable, Sampled {
    /// The name in URLs.
    public var login: String
    /// The display name.
    public var name: String?

    /// Creates a user.
    public init(login: String, name: String? = nil) {
        self.login = login
        self.name = name
    }

    /// A sample user.
    public static var sample: User { User(login: "octocat", name: "The Octocat") }
}

/// A repository of a user.
public struct Repository: Codable, Hashable, Sendable, Sampled {
    /// The name in URLs.
    public var name: String
    /// Whether the repository is private.
    public var `private`: Bool

    /// A sample repository.
    public static var sample: Repository { Repository(name: "Hello-World", private: false) }
}

/// A branch of a repository.
public struct Branch: Codable, Hashable, Sendable {
    /// The name.
    public var name: String
    /// Whether the branch is protected.
    public var protected: Bool
}

/// The comparison of two branches.
public struct Comparison: Codable, Hashable, Sendable {
    /// The number of commits that only the head has.
    public var aheadBy: Int

    enum CodingKeys: String, CodingKey { case aheadBy = "ahead_by" }
}

/// A gist.
public struct Gist: Codable, Hashable, Sendable {
    /// The description.
    public var description: String
}

/// An issue to be created.
public struct NewIssue: Codable, Hashable, Sendable {
    /// The title.
    public var title: String

    /// Creates an issue.
    public init(title: String) { self.title = title }
}

/// An issue.
public struct Issue: Codable, Hashable, Sendable {
    /// The number.
    public var number: Int
    /// The title.
    public var title: String
}

/// An authorization of an application.
public struct Authorization: Codable, Hashable, Sendable {
    /// The access token.
    public var token: String
}

/// The confirmation of an upload.
public struct Receipt: Codable, Hashable, Sendable {
    /// The number of bytes.
    public var bytes: Int
}

/// The error body of a rejected request.
public struct Problem: Codable, Error, Hashable, Sendable {
    /// The description of the error.
    public var message: String
}

/// The order in which repositories are listed.
public enum Sort: String, Codable, Sendable {
    /// By name.
    case name = "full_name"
    /// By the time of the last push, latest first.
    case pushed
}
#endif
