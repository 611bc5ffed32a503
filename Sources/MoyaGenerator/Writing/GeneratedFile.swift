/// A file of the generated code.
package struct GeneratedFile: Sendable, Hashable {
    /// The path inside of the output's folder.
    package var path: String
    package var text: String

    package init(path: String, text: String) { (self.path, self.text) = (path, text) }
}
