import Foundation
import MoyaHTTP

extension HAR {
    /// Creates an archive from the content of a file.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - limits: The limits for size and nesting.
    /// - Throws: ``HARError`` with the path of the invalid value.
    public init(data: Data, limits: HARLimits = HARLimits()) throws(HARError) {
        guard data.count <= limits.size else { throw HARError(.tooLarge(limit: limits.size)) }
        // Some programs write a byte order mark.
        let data = data.starts(with: [0xEF, 0xBB, 0xBF]) ? Data(data.dropFirst(3)) : data
        // UTF-16 contains NUL, and the decoder would accept it.
        guard !data.isEmpty, !data.contains(0) else { throw HARError(data.isEmpty ? .cut : .notJSON) }
        let shape = JSONShape(data, limit: limits.depth)
        guard shape.depth <= limits.depth else { throw HARError(.tooDeep(limit: limits.depth)) }
        // An unclosed quote or bracket has two possible causes: the JSON is cut, or the text is not JSON.
        guard !shape.isCut else {
            throw HARError(JSONValueParser.isStart(data, maximumDepth: limits.depth) ? .cut : .notJSON)
        }
        let repaired = data.replacingLoneSurrogates
        do {
            self = try JSONDecoder().decode(HAR.self, from: repaired)
        } catch {
            throw HARError(error)
        }
        addCustomFields(from: repaired)
    }

    /// Creates an archive by reading a file.
    ///
    /// - Parameters:
    ///   - file: The URL of the file.
    ///   - limits: The limits for size and nesting.
    /// - Throws: ``HARError`` with the file.
    public init(contentsOf file: URL, limits: HARLimits = HARLimits()) throws(HARError) {
        do {
            self = try HAR(data: Self.read(file, limits), limits: limits)
        } catch {
            throw HARError(error.reason, path: error.path, file: file)
        }
    }

    /// Returns the content of a file with this archive.
    ///
    /// The content is indented JSON with sorted keys, so that equal archives give equal files and version control shows small
    /// differences.
    ///
    /// - Throws: ``HARError`` if a number is not finite.
    public func data() throws(HARError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let numbers = ExactNumbers()
        if let key = ExactNumbers.key { encoder.userInfo[key] = numbers }
        do {
            return numbers.restoring(try encoder.encode(self)) + Data("\n".utf8)
        } catch EncodingError.invalidValue(_, let context) {
            throw HARError(.invalidValue("can't be written"), path: HARError.pathText(context.codingPath))
        } catch {
            throw HARError(.notWritable)
        }
    }

    /// Writes the archive to a file atomically, and creates missing folders.
    ///
    /// Only the owner can read the file (mode 0600), also if it replaces another one, because an archive may contain personal data.
    ///
    /// - Parameter file: The URL of the file.
    /// - Throws: ``HARError`` with the file.
    public func write(to file: URL) throws(HARError) {
        do {
            let data = try data()
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Self.replace(file.absoluteURL, with: data)
        } catch let error as HARError {
            throw HARError(error.reason, path: error.path, file: file)
        } catch {
            throw HARError(.notWritable, file: file)
        }
    }

    /// Replaces a file atomically by one that only its owner can read.
    ///
    /// Foundation would write with the mode that the mask of the process allows.
    private static func replace(_ file: URL, with data: Data) throws {
        let temporary = file.deletingLastPathComponent().path + "/" + PartFileName.unique(for: file.lastPathComponent)
        let descriptor = try FileCalls.open(temporary, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        defer { close(descriptor) }
        try FileCalls.replace(file.path, with: data, by: temporary, descriptor)
    }

    private static func read(_ file: URL, _ limits: HARLimits) throws(HARError) -> Data {
        guard file.isFileURL else { throw HARError(.invalidValue("is not a file URL")) }
        let path = file.resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else {
            throw HARError(FileManager.default.fileExists(atPath: path) ? .notReadable : .missing)
        }
        guard attributes[.type] as? FileAttributeType == .typeRegular else { throw HARError(.notARegularFile) }
        if let size = attributes[.size] as? Int, size > limits.size { throw HARError(.tooLarge(limit: limits.size)) }
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { throw HARError(.notReadable) }
        return data
    }
}
