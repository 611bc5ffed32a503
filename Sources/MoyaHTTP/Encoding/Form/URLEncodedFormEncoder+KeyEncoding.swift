extension URLEncodedFormEncoder {
    /// How the names of properties are written.
    public enum KeyEncoding: Sendable {
        /// As they are.
        case useDefaultKeys
        /// `oneTwoURL` becomes `one_two_url`.
        case convertToSnakeCase
        /// `oneTwoURL` becomes `one-two-url`.
        case convertToKebabCase
        /// `oneTwo` becomes `OneTwo`.
        case capitalized
        /// `oneTwo` becomes `ONETWO`.
        case uppercased
        /// `oneTwo` becomes `onetwo`.
        case lowercased
        /// As the function says.
        case custom(@Sendable (String) -> String)

        func name(for key: String) -> String {
            switch self {
            case .useDefaultKeys: key
            case .convertToSnakeCase: Self.words(key, separator: "_")
            case .convertToKebabCase: Self.words(key, separator: "-")
            case .capitalized: key.prefix(1).uppercased() + key.dropFirst()
            case .uppercased: key.uppercased()
            case .lowercased: key.lowercased()
            case .custom(let name): name(key)
            }
        }

        /// Separates words where a capital follows something else, and before the last of several capitals if a small
        /// letter follows: `myURLPath` is `my`, `url`, `path`.
        private static func words(_ key: String, separator: Character) -> String {
            let characters = Array(key)
            var result = ""
            for (index, character) in characters.enumerated() {
                let isBoundary =
                    character.isUppercase && index > 0 && characters[index - 1] != separator
                    && (!characters[index - 1].isUppercase
                        || index + 1 < characters.count && characters[index + 1].isLowercase)
                if isBoundary, result.contains(where: { $0 != separator }) { result.append(separator) }
                result += character.lowercased()
            }
            return result
        }
    }
}
