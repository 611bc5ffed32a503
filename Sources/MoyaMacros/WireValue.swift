#if Macros
import Foundation
import MoyaHTTP

/// Functions that convert values for queries, forms and headers.
///
/// Values are written in the same way at each place: `Encodable` values as they encode themselves, so enumerations as raw
/// values; dates in ISO 8601; `Data` in Base64; Booleans in the style of ``URLStyle(arrayEncoding:boolEncoding:)``.
public enum WireValue {
    /// Returns a text unchanged.
    public static func of(_ text: String) -> any Sendable { text }

    /// Returns a value for the parameters of a `URLEncoding`.
    ///
    /// An integer or a Boolean is unchanged. The encoding fails for a value that cannot be written as a parameter.
    public static func of<Value: Sendable>(_ value: Value) -> any Sendable {
        AnyParameter.isUsual(value) && !(value is Double) ? value : ParameterValue(value)
    }

    /// Returns a header's text unchanged.
    public static func header(_ text: String, style: URLEncoding = .default) -> String? { text }

    /// Returns the text of a header, in which elements of a list are separated by commas (RFC 9110, section 5.6.1).
    ///
    /// - Returns: The text; `nil` for `nil`, for an empty list, and for a value that
    ///   `HTTPTask.checkingHeader(_:_:style:)` rejects.
    public static func header<Value: Sendable>(_ value: Value, style: URLEncoding = .default) -> String? {
        try? HeaderValue.text(value, parameter: "", style: style)
    }

    /// Returns the headers that are not `nil`.
    public static func headers(_ headers: [String: String?]) -> [String: String] {
        headers.compactMapValues(\.self)
    }

    /// Returns headers with those of a dictionary, or of the properties of an `Encodable` value, which replace headers with the same
    /// name.
    ///
    /// - Returns: The headers; `headers` for a map that `HTTPTask.checkingHeaders(_:_:style:)` rejects.
    public static func headers<Value: Sendable>(
        _ headers: [String: String],
        adding map: Value,
        style: URLEncoding = .default
    ) -> [String: String] {
        guard let added = try? HeaderValue.texts(ofMap: map, parameter: "", style: style) else { return headers }
        let replaced = Set(added.map { $0.name.lowercased() })
        return headers.filter { !replaced.contains($0.key.lowercased()) }
            .merging(added.map { ($0.name, $0.text) }) { _, last in last }
    }
}

/// A function that converts values to the text of a header.
enum HeaderValue {
    /// Returns the text; `nil` if there is no value.
    static func text<Value: Sendable>(_ value: Value, parameter: String, style: URLEncoding) throws -> String? {
        try text(ParameterValue(value).texts(name: parameter, style: style), parameter: parameter)
    }

    /// Returns the names and texts of the entries of a map that have a value.
    static func texts<Value: Sendable>(
        ofMap map: Value,
        parameter: String,
        style: URLEncoding
    ) throws -> [(name: String, text: String)] {
        try ParameterFields().addingMap(parameter, map).texts(style: style).compactMap { name, texts in
            try text(texts, parameter: parameter).map { (name, $0) }
        }
    }

    private static func text(_ texts: ParameterTexts, parameter: String) throws -> String? {
        switch texts {
        case .none: return nil
        case .one(let text): return text
        case .list(let texts):
            guard texts.allSatisfy(isOneElement) else {
                throw ParameterValueError(parameter: parameter, reason: .ambiguousElement)
            }
            return texts.isEmpty ? nil : texts.joined(separator: ", ")
        case .nested:
            throw ParameterValueError(parameter: parameter, reason: .severalValues(place: .header))
        }
    }

    /// Returns whether a recipient of a list reads a text as one element, because it is not empty, and has no comma outside of
    /// a quoted string (RFC 9110, sections 5.6.1 and 5.6.4).
    private static func isOneElement(_ text: String) -> Bool {
        var isQuoted = false
        var isEscaped = false
        for byte in text.utf8 {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = isQuoted
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ","): if !isQuoted { return false }
            default: break
            }
        }
        return !isQuoted && text.contains { $0 != " " && $0 != "\t" }
    }
}

extension HTTPTask {
    /// Returns this task, because any text can be the value of a header.
    public func checkingHeader(_ parameter: String, _ text: String, style: URLEncoding = .default) -> HTTPTask {
        self
    }

    /// Returns this task, or one that fails if a value cannot be written into a header.
    ///
    /// The task reports the error because a target's headers cannot throw.
    ///
    /// - Parameters:
    ///   - parameter: The name of the parameter, for the error.
    ///   - value: The value.
    ///   - style: How Booleans are written.
    /// - Returns: The task.
    public func checkingHeader<Value: Sendable>(
        _ parameter: String,
        _ value: Value,
        style: URLEncoding = .default
    ) -> HTTPTask {
        if AnyParameter.isUsual(value), !(value is Double) { return self }
        return checking { _ = try HeaderValue.text(value, parameter: parameter, style: style) }
    }

    /// Returns this task, or one that fails if a map cannot be written as headers.
    ///
    /// - Parameters:
    ///   - parameter: The name of the parameter, for the error.
    ///   - map: The dictionary, or the value with properties.
    ///   - style: How Booleans are written.
    /// - Returns: The task.
    public func checkingHeaders<Value: Sendable>(
        _ parameter: String,
        _ map: Value,
        style: URLEncoding = .default
    ) -> HTTPTask {
        checking { _ = try HeaderValue.texts(ofMap: map, parameter: parameter, style: style) }
    }

    /// Returns this task, or one that fails with the error of a check.
    func checking(_ check: () throws -> Void) -> HTTPTask {
        do {
            try check()
            return self
        } catch {
            return .refused(error)
        }
    }

    /// Returns a task that fails with an error before anything is sent.
    static func refused(_ error: any Error) -> HTTPTask {
        .requestParameters(parameters: [:], encoding: Refusal(error: error))
    }
}

/// An encoding that always fails.
private struct Refusal: ParameterEncoding {
    let error: any Error

    func encode(_ urlRequest: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws
        -> URLRequest
    {
        throw error
    }
}
#endif
