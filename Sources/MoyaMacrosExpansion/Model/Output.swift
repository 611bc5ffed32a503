#if Macros
import SwiftSyntax

/// The result type of a method.
enum Output: Equatable {
    case nothing
    case response
    case data(isOptional: Bool)
    case text(isOptional: Bool)
    /// Any other type, which is decoded; the text has no question mark.
    case value(String, isOptional: Bool)
    case stream(Stream)
    /// The items of a list in pages.
    case pages(of: String)
    /// The decoded value, with the response.
    case typedResponse(of: String)
    /// The decoded server-sent events.
    case decodedEvents(of: String)
    /// The decoded lines.
    case decodedLines(of: String)
    /// An open WebSocket.
    case webSocket
    /// A WebSocket that is opened again when its connection is lost.
    case reconnectingWebSocket

    /// The types of a streamed result.
    enum Stream: String, CaseIterable {
        case sequence = "EventSequence"
        case serverSentEvents = "ServerSentEvents"
        case events = "StreamingEvents"
        case lines = "StreamingLines"
        case body = "StreamingBody"
        case response = "StreamingResponse"
    }

    /// Whether this is a stream that reconnects.
    var isReconnectingStream: Bool {
        switch self {
        case .stream(.sequence), .stream(.serverSentEvents), .decodedEvents: true
        default: false
        }
    }

    /// Whether a decoder is used for the result.
    var isDecoded: Bool {
        switch self {
        case .value, .pages, .typedResponse, .decodedEvents, .decodedLines: true
        case .nothing, .response, .data, .text, .stream, .webSocket, .reconnectingWebSocket: false
        }
    }

    /// The text of the type, for a result that is one type of the application.
    var resultType: String? { if case .value(let type, isOptional: false) = self { type } else { nil } }

    init(_ type: TypeSyntax?) {
        guard let type, !["Void", "()", "Swift.Void"].contains(type.trimmedDescription) else {
            self = .nothing
            return
        }
        let value = ValueType(type)
        if let wrapper = Wrapper(of: type), let inner = wrapper.inner {
            self = wrapper.output(of: inner.trimmedDescription)
            return
        }
        switch value.wrapped {
        case "Response" where !value.isOptional: self = .response
        case "WebSocket" where !value.isOptional: self = .webSocket
        case "ReconnectingWebSocket" where !value.isOptional: self = .reconnectingWebSocket
        case "Data": self = .data(isOptional: value.isOptional)
        case "String": self = .text(isOptional: value.isOptional)
        default:
            if let stream = Stream(rawValue: value.wrapped), !value.isOptional {
                self = .stream(stream)
            } else if value.isOptional {
                self = .value(Self.unwrapped(type), isOptional: true)
            } else {
                self = .value(value.text, isOptional: false)
            }
        }
    }

    /// Whether this is a stream, whose bytes are read while they arrive.
    var isStream: Bool {
        switch self {
        case .stream, .decodedEvents, .decodedLines: true
        case .nothing, .response, .data, .text, .value, .pages, .typedResponse, .webSocket, .reconnectingWebSocket:
            false
        }
    }

    /// Returns the types that are decoded, as written; `nil` if the result is no such wrapper.
    static func decodedType(in type: TypeSyntax) -> TypeSyntax? { Wrapper(of: type)?.inner }

    /// A generic type of the library around a decoded type.
    private struct Wrapper {
        enum Name: String {
            case pages = "PagedSequence"
            case typedResponse = "TypedResponse"
            case events = "DecodedEvents"
            case lines = "DecodedLines"
        }

        let name: Name
        let inner: TypeSyntax?

        init?(of type: TypeSyntax) {
            if let member = type.as(MemberTypeSyntax.self), let name = Name(rawValue: member.name.text),
                ["Moya", "MoyaMacros"].contains(member.baseType.trimmedDescription)
            {
                (self.name, inner) = (name, member.genericArgumentClause?.onlyType)
            } else if let simple = type.as(IdentifierTypeSyntax.self), let name = Name(rawValue: simple.name.text) {
                (self.name, inner) = (name, simple.genericArgumentClause?.onlyType)
            } else {
                return nil
            }
        }

        func output(of inner: String) -> Output {
            switch name {
            case .pages: .pages(of: inner)
            case .typedResponse: .typedResponse(of: inner)
            case .events: .decodedEvents(of: inner)
            case .lines: .decodedLines(of: inner)
            }
        }
    }

    private static func unwrapped(_ type: TypeSyntax) -> String {
        (type.as(OptionalTypeSyntax.self)?.wrappedType
            ?? type.as(IdentifierTypeSyntax.self)?.argument(of: ["Optional"]) ?? type).trimmedDescription
    }
}
#endif
