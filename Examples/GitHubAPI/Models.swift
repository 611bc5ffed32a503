#if Macros
    import MoyaMacros

    /// Who has repositories.
    public struct User: Codable, Hashable, Sendable, Sampled {
        /// The name in URLs.
        public var login: String
        /// The name for people.
        public var name: String?

        /// Makes a user.
        public init(login: String, name: String? = nil) {
            self.login = login
            self.name = name
        }

        /// The mascot.
        public static var sample: User { User(login: "octocat", name: "The Octocat") }
    }

    /// What a user has.
    public struct Repository: Codable, Hashable, Sendable, Sampled {
        /// The name in URLs.
        public var name: String
        /// Whether others can't see it.
        public var `private`: Bool

        /// The mascot's first.
        public static var sample: Repository { Repository(name: "Hello-World", private: false) }
    }

    /// A line of work.
    public struct Branch: Codable, Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Whether it is kept from harm.
        public var protected: Bool
    }

    /// What is between two branches.
    public struct Comparison: Codable, Hashable, Sendable {
        /// How many commits one has that the other has not.
        public var aheadBy: Int

        enum CodingKeys: String, CodingKey { case aheadBy = "ahead_by" }
    }

    /// A note.
    public struct Gist: Codable, Hashable, Sendable {
        /// What it says.
        public var description: String
    }

    /// An issue before it has a number.
    public struct NewIssue: Codable, Hashable, Sendable {
        /// What it is about.
        public var title: String

        /// Makes an issue.
        public init(title: String) { self.title = title }
    }

    /// An issue.
    public struct Issue: Codable, Hashable, Sendable {
        /// What it is called by.
        public var number: Int
        /// What it is about.
        public var title: String
    }

    /// What a program may do.
    public struct Authorization: Codable, Hashable, Sendable {
        /// The proof of it.
        public var token: String
    }

    /// What has arrived.
    public struct Receipt: Codable, Hashable, Sendable {
        /// How many bytes.
        public var bytes: Int
    }

    /// Why a request was refused.
    public struct Problem: Codable, Error, Hashable, Sendable {
        /// In words.
        public var message: String
    }

    /// In which order repositories are listed.
    public enum Sort: String, Codable, Sendable {
        /// By their names.
        case name = "full_name"
        /// The last push first.
        case pushed
    }
#endif
