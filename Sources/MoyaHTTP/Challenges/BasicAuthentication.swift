import Foundation

/// Answers to Basic challenges (RFC 7617).
package enum BasicAuthentication {
    /// The value of `Authorization` or `Proxy-Authorization`.
    ///
    /// Name and password are sent as UTF-8, also to servers that do not say `charset="UTF-8"` (section 2.1): it is what
    /// browsers do, and for ASCII it makes no difference.
    ///
    /// - Throws: ``CredentialError`` for what section 2 forbids.
    package static func authorization(_ credential: UserCredential) throws(CredentialError) -> String {
        guard !credential.user.utf8.contains(UInt8(ascii: ":")) else { throw .colonInUserName }
        let text = "\(credential.user):\(credential.password)"
        // C1 included; RFC 5234 has only those of ASCII, but no one types the others either.
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .controlCharacter
        }
        return "Basic \(Data(text.utf8).base64EncodedString())"
    }

    /// What all paths of the protection space begin with, told from the path of a request that was accepted: all that is
    /// as deep as its last segment, or deeper (section 2.2).
    package static func scope(ofPath path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "/" }
        return String(path[...slash])
    }
}
