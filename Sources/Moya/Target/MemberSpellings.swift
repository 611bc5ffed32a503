import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Members that have default implementations can be missed by a type: a target that declares `timeoutInterval: TimeInterval`
// compiles, and without the protocols here the default, which is optional, would be used in its place. They have the members
// once more, by other types; the defaults of `TargetType` and its refinements read them. To everybody else they are deprecated
// and disfavored, so that a generic function that reads a member gets the one of `TargetType`.

/// The members of ``TargetType`` with defaults, by other types that a target may declare them with.
///
/// Every target conforms. A target declares each member once, by the type of ``TargetType`` or by one of these.
public protocol _TargetMemberSpellings {
    /// The time-out, not optional.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a TimeInterval?: read it as one.")
    var timeoutInterval: TimeInterval { get }
    /// The use of the cache; `nil` for the default.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a URLRequest.CachePolicy, and not optional.")
    var cachePolicy: URLRequest.CachePolicy? { get }
    /// The status codes that count as success; `nil` for the default.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a ValidationType, and not optional.")
    var validationType: ValidationType? { get }
    /// The body of a stub's response; `nil` for the default.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is Data, and not optional.")
    var sampleData: Data? { get }
    /// Whether the path is escaped; `nil` for the default.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a Bool, and not optional.")
    var isPathEscaped: Bool? { get }
}

/// The time-out of a target as a whole number of seconds, as in `let timeoutInterval = 5`.
public protocol _TargetTimeoutInWholeSeconds {
    /// The time-out in seconds.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a TimeInterval?: read it as one.")
    var timeoutInterval: Int { get }
}

/// The time-out of a target as a duration, as in `let timeoutInterval = Duration.seconds(5)`.
public protocol _TargetTimeoutAsDuration {
    /// The time-out.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a TimeInterval?: read it as one.")
    var timeoutInterval: Duration { get }
}

extension _TargetMemberSpellings {
    /// Foundation's default, as a value that no target has.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a TimeInterval?: read it as one.")
    public var timeoutInterval: TimeInterval { Undeclared.timeoutInterval }
    /// Nothing.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a URLRequest.CachePolicy, and not optional.")
    public var cachePolicy: URLRequest.CachePolicy? { nil }
    /// Nothing.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a ValidationType, and not optional.")
    public var validationType: ValidationType? { nil }
    /// Nothing.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is Data, and not optional.")
    public var sampleData: Data? { nil }
    /// Nothing.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a Bool, and not optional.")
    public var isPathEscaped: Bool? { nil }
}

extension _TargetTimeoutInWholeSeconds {
    /// A value that no target has.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a TimeInterval?: read it as one.")
    public var timeoutInterval: Int { Undeclared.wholeSeconds }
}

extension _TargetTimeoutAsDuration {
    /// A value that no target has.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a TimeInterval?: read it as one.")
    public var timeoutInterval: Duration { Undeclared.duration }
}

/// The members of ``TypedTargetType`` with defaults, by other types that a target may declare them with.
public protocol _TypedTargetMemberSpellings {
    /// The location of the output, not optional.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a String?: read it as one.")
    var outputKeyPath: String { get }
    /// The location of the error, not optional.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a String?: read it as one.")
    var errorBodyKeyPath: String { get }
    /// The decoder, as it is stored in a type that is `Sendable`.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is any ResponseDecoder.")
    var decoder: any ResponseDecoder & Sendable { get }
}

/// The decoder of a target by its own type, as in `let decoder = JSONDecoder()`.
public protocol _TypedTargetDecoder {
    /// The decoder's type.
    associatedtype _DecoderType: ResponseDecoder = _UndeclaredDecoder

    /// The decoder.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is any ResponseDecoder.")
    var decoder: _DecoderType { get }
}

extension _TypedTargetMemberSpellings {
    /// A key path that no target has.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a String?: read it as one.")
    public var outputKeyPath: String { Undeclared.keyPath }
    /// A key path that no target has.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a String?: read it as one.")
    public var errorBodyKeyPath: String { Undeclared.keyPath }
    /// A decoder that no target has.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is any ResponseDecoder.")
    public var decoder: any ResponseDecoder & Sendable { _UndeclaredDecoder() }
}

extension _TypedTargetDecoder {
    /// A decoder that no target has.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is any ResponseDecoder.")
    public var decoder: _UndeclaredDecoder { _UndeclaredDecoder() }
}

/// The decoder of a target that does not declare one by its own type; it decodes as `JSONDecoder` does.
public struct _UndeclaredDecoder: ResponseDecoder, Sendable {
    /// Decodes JSON.
    ///
    /// - Throws: `DecodingError`.
    public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
        try JSONDecoder().decode(type, from: data)
    }
}

/// The values of members that a target does not declare.
private enum Undeclared {
    static let timeoutInterval = TimeInterval(60).nextUp
    static let wholeSeconds = Int.min
    static let duration = Duration(secondsComponent: .min, attosecondsComponent: 0)
    static let keyPath = "\0"
}

// MARK: - Reading

/// The members that a target declares by another type than that of ``TargetType``; `nil` if it does not.
protocol DeclaredTargetMembers {
    var timeoutInterval: TimeInterval? { get }
    var cachePolicy: URLRequest.CachePolicy? { get }
    var validationType: ValidationType? { get }
    var sampleData: Data? { get }
    var isPathEscaped: Bool? { get }
}

/// The members that a typed target declares by another type than that of ``TypedTargetType``; `nil` if it does not.
protocol DeclaredTypedTargetMembers {
    var outputKeyPath: String? { get }
    var errorBodyKeyPath: String? { get }
    var decoder: (any ResponseDecoder)? { get }
}

// The types of the results hide those of their values, whose members are deprecated as what they read is.
extension TargetType {
    var declaredMembers: some DeclaredTargetMembers { MemberReader(target: self) }
}

extension TypedTargetType {
    var declaredTypedMembers: some DeclaredTypedTargetMembers { TypedMemberReader(target: self) }
}

// Without TargetType, a member has no other type here.
private struct MemberReader<
    Target: _TargetMemberSpellings & _TargetTimeoutInWholeSeconds & _TargetTimeoutAsDuration
>: DeclaredTargetMembers {
    let target: Target

    @available(*, deprecated)
    var timeoutInterval: TimeInterval? {
        let seconds: TimeInterval = target.timeoutInterval
        if seconds != Undeclared.timeoutInterval { return seconds }
        let wholeSeconds: Int = target.timeoutInterval
        if wholeSeconds != Undeclared.wholeSeconds { return TimeInterval(wholeSeconds) }
        let duration: Duration = target.timeoutInterval
        return duration == Undeclared.duration ? nil : duration.inSeconds
    }

    @available(*, deprecated)
    var cachePolicy: URLRequest.CachePolicy? { target.cachePolicy }

    @available(*, deprecated)
    var validationType: ValidationType? { target.validationType }

    @available(*, deprecated)
    var sampleData: Data? { target.sampleData }

    @available(*, deprecated)
    var isPathEscaped: Bool? { target.isPathEscaped }
}

private struct TypedMemberReader<
    Target: _TypedTargetMemberSpellings & _TypedTargetDecoder
>: DeclaredTypedTargetMembers {
    let target: Target

    @available(*, deprecated)
    var outputKeyPath: String? { declared(target.outputKeyPath) }

    @available(*, deprecated)
    var errorBodyKeyPath: String? { declared(target.errorBodyKeyPath) }

    @available(*, deprecated)
    var decoder: (any ResponseDecoder)? {
        let ownType: Target._DecoderType = target.decoder
        if !(ownType is _UndeclaredDecoder) { return ownType }
        let sendable: any ResponseDecoder & Sendable = target.decoder
        if sendable is _UndeclaredDecoder { return nil }
        return sendable
    }

    private func declared(_ keyPath: String) -> String? { keyPath == Undeclared.keyPath ? nil : keyPath }
}
