import Foundation

/// The Basic authentication scheme (RFC 7617).
package enum BasicAuthentication {
    /// Returns the value of `Authorization` or `Proxy-Authorization`.
    ///
    /// User name and password are encoded as UTF-8, even if the server does not send `charset="UTF-8"` (section
    /// 2.1). Browsers do the same, and for ASCII it makes no difference.
    ///
    /// - Throws: ``CredentialError`` if section 2 does not allow the credential.
    package static func authorization(_ credential: UserCredential) throws(CredentialError) -> String {
        guard !credential.user.utf8.contains(UInt8(ascii: ":")) else { throw .colonInUserName }
        let text = "\(credential.user):\(credential.password)"
        // Includes C1 controls. RFC 5234 lists only the ASCII controls, but the others are not typed either.
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw .controlCharacter
        }
        return "Basic \(Data(text.utf8).base64EncodedString())"
    }

    /// Returns the path prefix of the protection space, derived from the path of an accepted request: all paths at
    /// or below the depth of its last segment (section 2.2).
    package static func scope(ofPath path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "/" }
        return String(path[...slash])
    }
}
