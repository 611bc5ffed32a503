#if Macros
import Foundation
import Moya
import MoyaHTTP

/// The parameters of a query or a form that has maps, whose names are known only when a request is sent.
///
/// An entry of a map replaces the parameter with the same name.
public struct NamedFields: Sendable {
    private let style: URLEncoding
    private var fields = ParameterFields()

    /// Creates fields without values.
    ///
    /// - Parameter style: How Booleans, and the names of array elements, are written.
    public init(style: URLEncoding = .default) { self.style = style }

    /// Returns the fields with an additional value.
    public func adding<Value: Sendable>(_ name: String, _ value: Value) -> NamedFields {
        var copy = self
        copy.fields = fields.adding(name, value)
        return copy
    }

    /// Returns the fields with the entries of a dictionary, or the properties of an `Encodable` value.
    public func addingMap<Value: Sendable>(_ parameter: String, _ map: Value) -> NamedFields {
        var copy = self
        copy.fields = fields.addingMap(parameter, map)
        return copy
    }

    /// The task that sends the fields as a form.
    public var form: HTTPTask {
        .requestFormEncodable(fields, encoder: URLEncodedFormEncoder(style), destination: .httpBody)
    }

    /// Returns a task with the fields in the URL's query.
    fileprivate func query(of task: HTTPTask) -> HTTPTask { task.adding(query: fields, style: style) }
}

extension HTTPTask {
    /// Returns the same task with the fields in the URL's query.
    public func adding(query fields: NamedFields) -> HTTPTask { fields.query(of: self) }
}
#endif
