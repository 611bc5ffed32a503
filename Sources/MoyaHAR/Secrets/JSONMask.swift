import Foundation

/// Masks the values of members in JSON, and leaves all else as it is written.
///
/// It looks for names in quotes before a colon, so it works on JSON that is cut, wrong, or in the midst of other text.
struct JSONMask: Sendable {
    private let names: Set<String>
    /// No name that is looked for is longer, escaped.
    private let longestName: Int

    /// - Parameter names: In lower case.
    init(names: Set<String>) {
        self.names = names
        longestName = (names.map(\.utf8.count).max() ?? 0) * 6
    }

    func masking(_ data: Data) -> Data {
        let bytes = [UInt8](data)
        var output: [UInt8] = []
        var copied = 0
        var position = 0
        while let quote = bytes[position...].firstIndex(of: UInt8(ascii: "\"")) {
            position = quote + 1
            guard let value = valueOfSecret(in: bytes, from: position) else { continue }
            let end = endOfValue(in: bytes, from: value)
            if !Self.isNull(bytes[value..<end]) {
                output += bytes[copied..<value]
                output += Data("\"\(HARSecrets.placeholder)\"".utf8)
                copied = end
            }
            position = end
        }
        return copied == 0 ? data : Data(output + bytes[copied...])
    }

    /// Where the value begins, if a secret's name begins here.
    private func valueOfSecret(in bytes: [UInt8], from start: Int) -> Int? {
        let reach = bytes[start...].prefix(longestName + 1)
        var end = start
        while end < reach.endIndex, reach[end] != UInt8(ascii: "\"") {
            end += reach[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard end < reach.endIndex else { return nil }
        var next = end + 1
        while next < bytes.count, bytes[next].isJSONSpace { next += 1 }
        guard next < bytes.count, bytes[next] == UInt8(ascii: ":"), names.contains(name(bytes[start..<end])) else {
            return nil
        }
        next += 1
        while next < bytes.count, bytes[next].isJSONSpace { next += 1 }
        return next < bytes.count ? next : nil
    }

    private func name(_ bytes: ArraySlice<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.contains("\\") else { return text.lowercased() }
        let decoded = try? JSONDecoder().decode(String.self, from: Data("\"\(text)\"".utf8))
        return (decoded ?? text).lowercased()
    }

    /// After the value's last byte.
    private func endOfValue(in bytes: [UInt8], from start: Int) -> Int {
        var open = 0
        var position = start
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position = endOfText(in: bytes, from: position + 1)
                if open == 0 { return position }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                open += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if open == 0 { return position }
                open -= 1
                if open == 0 { return position + 1 }
            case UInt8(ascii: ",") where open == 0:
                return position
            case let byte where open == 0 && byte.isJSONSpace:
                return position
            default:
                break
            }
            position += 1
        }
        return position
    }

    private func endOfText(in bytes: [UInt8], from start: Int) -> Int {
        var position = start
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\\"): position += 2
            case UInt8(ascii: "\""): return position + 1
            default: position += 1
            }
        }
        return bytes.count
    }

    private static func isNull(_ value: ArraySlice<UInt8>) -> Bool { value.elementsEqual("null".utf8) }
}

extension UInt8 {
    /// White space of JSON (RFC 8259, section 2).
    fileprivate var isJSONSpace: Bool { [0x09, 0x0A, 0x0D, 0x20].contains(self) }
}
