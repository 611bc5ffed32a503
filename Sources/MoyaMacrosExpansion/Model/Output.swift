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
    var isReconnectingStream: Bool { self == .stream(.sequence) || self == .stream(.serverSentEvents) }

    init(_ type: TypeSyntax?) {
        guard let type, !["Void", "()", "Swift.Void"].contains(type.trimmedDescription) else {
            self = .nothing
            return
        }
        let value = ValueType(type)
        if let item = Self.item(ofPages: type) {
            self = .pages(of: item.trimmedDescription)
            return
        }
        switch value.wrapped {
        case "Response" where !value.isOptional: self = .response
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

    /// Returns the type of the items if the result is a list in pages.
    static func item(ofPages type: TypeSyntax) -> TypeSyntax? {
        if let member = type.as(MemberTypeSyntax.self), member.name.text == "PagedSequence",
            ["Moya", "MoyaMacros"].contains(member.baseType.trimmedDescription)
        {
            return member.genericArgumentClause?.onlyType
        }
        return type.as(IdentifierTypeSyntax.self)?.argument(of: ["PagedSequence"])
    }

    private static func unwrapped(_ type: TypeSyntax) -> String {
        (type.as(OptionalTypeSyntax.self)?.wrappedType
            ?? type.as(IdentifierTypeSyntax.self)?.argument(of: ["Optional"]) ?? type).trimmedDescription
    }
}
#endif
