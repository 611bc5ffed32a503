import Foundation

// A member of another type does not override a default implementation: a target that declares `timeoutInterval: TimeInterval`
// compiles, and without these protocols the optional default would be used in its place. The protocols declare the members again,
// with other types; the defaults of `TargetType` and its refinements read them. The members are deprecated and disfavored, so that
// a generic function that reads a member gets the member of `TargetType`.

/// The members of ``TargetType`` with defaults, with other types that a target may declare.
///
/// Every target conforms. A target declares each member once, with the type of ``TargetType`` or with one of these.
public protocol _TargetMemberSpellings {
    /// The timeout, not optional.
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

/// The timeout of a target as a whole number of seconds, as in `let timeoutInterval = 5`.
public protocol _TargetTimeoutInWholeSeconds {
    /// The timeout in seconds.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a TimeInterval?: read it as one.")
    var timeoutInterval: Int { get }
}

/// The timeout of a target as a duration, as in `let timeoutInterval = Duration.seconds(5)`.
public protocol _TargetTimeoutAsDuration {
    /// The timeout.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a TimeInterval?: read it as one.")
    var timeoutInterval: Duration { get }
}

extension _TargetMemberSpellings {
    /// A value just above Foundation's default, which no target has.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a TimeInterval?: read it as one.")
    public var timeoutInterval: TimeInterval { Undeclared.timeoutInterval }
    /// No value.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a URLRequest.CachePolicy, and not optional.")
    public var cachePolicy: URLRequest.CachePolicy? { nil }
    /// No value.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a ValidationType, and not optional.")
    public var validationType: ValidationType? { nil }
    /// No value.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is Data, and not optional.")
    public var sampleData: Data? { nil }
    /// No value.
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

/// The members of ``TypedTargetType`` with defaults, with other types that a target may declare.
public protocol _TypedTargetMemberSpellings {
    /// The location of the output, not optional.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a String?: read it as one.")
    var outputKeyPath: String { get }
    /// The location of the error, not optional.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is a String?: read it as one.")
    var errorBodyKeyPath: String { get }
    /// The decoder, with the type that a `Sendable` type can store.
    @_disfavoredOverload
    @available(*, deprecated, message: "It is any ResponseDecoder.")
    var decoder: any ResponseDecoder & Sendable { get }
}

/// The decoder of a target with a concrete type, as in `let decoder = JSONDecoder()`.
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

/// The decoder of a target that does not declare one with a concrete type; it decodes as `JSONDecoder` does.
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

/// Reads the members that a target declares with another type than ``TargetType``; `nil` for other members.
protocol TargetMemberReader {
    func timeoutInterval(
        of target: some _TargetMemberSpellings & _TargetTimeoutInWholeSeconds & _TargetTimeoutAsDuration
    ) -> TimeInterval?
    func cachePolicy(of target: some _TargetMemberSpellings) -> URLRequest.CachePolicy?
    func validationType(of target: some _TargetMemberSpellings) -> ValidationType?
    func sampleData(of target: some _TargetMemberSpellings) -> Data?
    func isPathEscaped(of target: some _TargetMemberSpellings) -> Bool?
    func outputKeyPath(of target: some _TypedTargetMemberSpellings) -> String?
    func errorBodyKeyPath(of target: some _TypedTargetMemberSpellings) -> String?
    func decoder(of target: some _TypedTargetMemberSpellings & _TypedTargetDecoder) -> (any ResponseDecoder)?
}

/// The reader of declared members.
// Its functions are deprecated, so that they can read deprecated members without a warning. The type is opaque, so that callers use
// the protocol's functions, which are not deprecated. The parameters are not constrained to TargetType, so that the functions read
// the members of these protocols. The type is not generic, because the metadata of a generic type would cost each request a look-up.
var declaredMembers: some TargetMemberReader { MemberReader() }

private struct MemberReader: TargetMemberReader {
    @available(*, deprecated)
    func timeoutInterval(
        of target: some _TargetMemberSpellings & _TargetTimeoutInWholeSeconds & _TargetTimeoutAsDuration
    ) -> TimeInterval? {
        let seconds: TimeInterval = target.timeoutInterval
        if seconds != Undeclared.timeoutInterval { return seconds }
        let wholeSeconds: Int = target.timeoutInterval
        if wholeSeconds != Undeclared.wholeSeconds { return TimeInterval(wholeSeconds) }
        let duration: Duration = target.timeoutInterval
        return duration == Undeclared.duration ? nil : duration.inSeconds
    }

    @available(*, deprecated)
    func cachePolicy(of target: some _TargetMemberSpellings) -> URLRequest.CachePolicy? { target.cachePolicy }

    @available(*, deprecated)
    func validationType(of target: some _TargetMemberSpellings) -> ValidationType? { target.validationType }

    @available(*, deprecated)
    func sampleData(of target: some _TargetMemberSpellings) -> Data? { target.sampleData }

    @available(*, deprecated)
    func isPathEscaped(of target: some _TargetMemberSpellings) -> Bool? { target.isPathEscaped }

    @available(*, deprecated)
    func outputKeyPath(of target: some _TypedTargetMemberSpellings) -> String? { declared(target.outputKeyPath) }

    @available(*, deprecated)
    func errorBodyKeyPath(of target: some _TypedTargetMemberSpellings) -> String? { declared(target.errorBodyKeyPath) }

    @available(*, deprecated)
    func decoder<T: _TypedTargetMemberSpellings & _TypedTargetDecoder>(of target: T) -> (any ResponseDecoder)? {
        let ownType: T._DecoderType = target.decoder
        if !(ownType is _UndeclaredDecoder) { return ownType }
        let sendable: any ResponseDecoder & Sendable = target.decoder
        if sendable is _UndeclaredDecoder { return nil }
        return sendable
    }

    private func declared(_ keyPath: String) -> String? { keyPath == Undeclared.keyPath ? nil : keyPath }
}
