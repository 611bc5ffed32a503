extension URLEncodedFormEncoder {
    /// The style for the names of properties.
    public enum KeyEncoding: Sendable {
        /// Names are not changed.
        case useDefaultKeys
        /// Snake case: `oneTwoURL` is written as `one_two_url`.
        case convertToSnakeCase
        /// Kebab case: `oneTwoURL` is written as `one-two-url`.
        case convertToKebabCase
        /// The first letter is uppercase: `oneTwo` is written as `OneTwo`.
        case capitalized
        /// Uppercase: `oneTwo` is written as `ONETWO`.
        case uppercased
        /// Lowercase: `oneTwo` is written as `onetwo`.
        case lowercased
        /// A function of the name.
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

        /// Separates words before an uppercase letter that does not follow another one, and before the last of
        /// several uppercase letters if a lowercase letter follows: `myURLPath` consists of `my`, `url`, `path`.
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
