import MoyaJSON

/// The parameters of a declared endpoint at one place: values with names, and maps, whose names are those of their entries.
///
/// Values are written by the rules of ``ParameterValue``. A name that occurs twice has its last value.
package struct ParameterFields: Encodable, ParameterWriter, Sendable {
    private enum Entry: Sendable {
        case value(name: String, any Sendable)
        case map(parameter: String, any Sendable)
    }

    private var entries: [Entry] = []

    /// Creates parameters without values.
    package init() {}

    /// Returns the parameters with a value.
    package func adding(_ name: String, _ value: any Sendable) -> ParameterFields {
        var fields = self
        fields.entries.append(.value(name: name, value))
        return fields
    }

    /// Returns the parameters with the entries of a dictionary, or the properties of a value.
    package func addingMap(_ parameter: String, _ map: any Sendable) -> ParameterFields {
        var fields = self
        fields.entries.append(.map(parameter: parameter, map))
        return fields
    }

    /// Encodes the values with their names.
    ///
    /// - Throws: ``URLEncoding/Error`` for a map without names, or a value without a text; the error of a value's `encode(to:)`.
    package func encode(to encoder: any Encoder) throws {
        // Without a container, an encoder would refuse parameters that have no values.
        var container = encoder.container(keyedBy: NameKey.self)
        for entry in entries {
            switch entry {
            case .value(let name, let value):
                try container.encode(ParameterElement(value: value), forKey: NameKey(stringValue: name))
            case .map(let parameter, let map):
                try ParameterElement(value: map).encodeMembers(to: encoder, parameter: parameter)
            }
        }
    }
}

extension ParameterFields {
    /// Returns the texts of the values, by name, for a place with one value for each name, such as headers.
    ///
    /// - Parameter style: The style for Booleans.
    /// - Returns: The texts, in the order of the names.
    /// - Throws: ``URLEncodedFormEncoder/Error``, ``URLEncoding/Error``, or the error of a value's `encode(to:)`.
    package func texts(style: URLEncoding) throws -> [(name: String, texts: ParameterTexts)] {
        let tree = try URLEncodedFormEncoder(style).tree(of: self)
        return zip(tree.names, tree.children).map { ($0, ParameterTexts($1)) }.sorted { $0.name < $1.name }
    }
}
