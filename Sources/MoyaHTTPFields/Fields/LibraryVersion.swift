/// The version of this library, as `User-Agent`, HAR files and `moya-cli --version` name it.
package enum LibraryVersion {
    /// The version of the last release, which `scripts/release` writes.
    package static let current = "0.0.0"
}
