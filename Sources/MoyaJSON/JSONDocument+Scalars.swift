#if !canImport(Darwin)
import Foundation

extension JSONDocument {
    /// Decodes a value.
    ///
    /// The closure `other` decodes a type that `JSONDecoder` does not handle itself.
    ///
    /// The result is not optional, because the type of an optional would have to be looked up at run time.
    @inline(__always)
    func decode<Value: Decodable>(
        _ type: Value.Type,
        at index: Int,
        path: () -> [any CodingKey],
        other: () throws -> Value
    ) throws -> Value {
        if type == String.self { return try require(string(at: index), as: type, at: index, path) }
        if type == Int.self { return try require(exactly(Int.self, at: index), as: type, at: index, path) }
        if type == Double.self { return try require(double(at: index), as: type, at: index, path) }
        if type == Bool.self { return try require(bool(at: index), as: type, at: index, path) }
        return try decodeRare(type, at: index, path: path, other: other)
    }

    private func decodeRare<Value: Decodable>(
        _ type: Value.Type,
        at index: Int,
        path: () -> [any CodingKey],
        other: () throws -> Value
    ) throws -> Value {
        if type == [String].self, let texts = array(at: index, string) {
            return try require(texts, as: type, at: index, path)
        }
        if type == [Int].self, let integers = array(at: index, { integer(Int.self, at: $0) }) {
            return try require(integers, as: type, at: index, path)
        }
        if type == [Double].self, let numbers = array(at: index, double) {
            return try require(numbers, as: type, at: index, path)
        }
        if type == Float.self { return try require(float(at: index), as: type, at: index, path) }
        if type == Int8.self { return try require(exactly(Int8.self, at: index), as: type, at: index, path) }
        if type == Int16.self { return try require(exactly(Int16.self, at: index), as: type, at: index, path) }
        if type == Int32.self { return try require(exactly(Int32.self, at: index), as: type, at: index, path) }
        if type == Int64.self { return try require(exactly(Int64.self, at: index), as: type, at: index, path) }
        if type == Int128.self { return try require(exactly(Int128.self, at: index), as: type, at: index, path) }
        if type == UInt.self { return try require(exactly(UInt.self, at: index), as: type, at: index, path) }
        if type == UInt8.self { return try require(exactly(UInt8.self, at: index), as: type, at: index, path) }
        if type == UInt16.self { return try require(exactly(UInt16.self, at: index), as: type, at: index, path) }
        if type == UInt32.self { return try require(exactly(UInt32.self, at: index), as: type, at: index, path) }
        if type == UInt64.self { return try require(exactly(UInt64.self, at: index), as: type, at: index, path) }
        if type == UInt128.self { return try require(exactly(UInt128.self, at: index), as: type, at: index, path) }
        if type == URL.self { return try require(url(at: index), as: type, at: index, path) }
        if type == Data.self { return try require(data(at: index), as: type, at: index, path) }
        if type == Decimal.self { return try require(decimal(at: index), as: type, at: index, path) }
        // For null in place of a date, Foundation throws another error than for null in place of the date's number.
        if type == Date.self, tokens[index].kind == .null { return try decodeByFoundation(type, at: index) }
        return try other()
    }

    /// Returns the scalar as a value of the type; if the scalar is `nil`, throws the error or lets Foundation decode the value.
    @inline(__always)
    private func require<Scalar, Value: Decodable>(
        _ scalar: Scalar?,
        as type: Value.Type,
        at index: Int,
        _ path: () -> [any CodingKey]
    ) throws -> Value {
        if let scalar, Scalar.self == Value.self { return unsafeBitCast(scalar, to: Value.self) }
        return try decodeOther(Value.self, at: index, path)
    }

    @inline(never)
    private func decodeOther<Value: Decodable>(
        _ type: Value.Type,
        at index: Int,
        _ path: () -> [any CodingKey]
    ) throws -> Value {
        let isText = type == String.self || type == URL.self || type == Data.self
        switch tokens[index].kind {
        case .null where type != Bool.self:
            let problem = "Cannot get value of type \(type) -- found null value instead"
            throw DecodingError.valueNotFound(type, .init(codingPath: path(), debugDescription: problem))
        case .text where isText, .number where !isText && type != Bool.self:
            return try decodeByFoundation(type, at: index)
        case _ where type == Decimal.self:
            throw DecodingError.typeMismatch(type, .init(codingPath: path(), debugDescription: ""))
        default:
            throw mismatch(isText ? String.self : type, at: index, path())
        }
    }

    /// Returns the error for a value of another type.
    func mismatch(_ type: Any.Type, at index: Int, _ path: [any CodingKey]) -> DecodingError {
        let found =
            switch tokens[index].kind {
            case .object: "a dictionary"
            case .array: "an array"
            case .text, .name: "a string"
            case .number: "number"
            case .bool: "bool"
            case .null: "null"
            }
        let problem = "Expected to decode \(type) but found \(found) instead."
        return .typeMismatch(type, .init(codingPath: path, debugDescription: problem))
    }

    /// Returns the elements of an array; `nil` unless all are scalars of the type.
    @inline(__always)
    private func array<Element>(at index: Int, _ element: (Int) -> Element?) -> [Element]? {
        guard tokens[index].kind == .array else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(Int(tokens[index].detail))
        for index in index + 1..<end(of: index) {
            guard let element = element(index) else { return nil }
            elements.append(element)
        }
        return elements
    }

    private func url(at index: Int) -> URL? { string(at: index).flatMap { URL(string: $0) } }

    private func data(at index: Int) -> Data? { string(at: index).flatMap { Data(base64Encoded: $0) } }

    private func string(at index: Int) -> String? { tokens[index].kind == .text ? text(index) : nil }

    /// Returns the string of a text, or of a name.
    func text(_ index: Int) -> String {
        let token = tokens[index]
        guard token.isPlain else {
            return bytes.withUnsafeBytes { JSONReader($0).text(.init(range: token.range, hasEscapes: true)) }
        }
        // The tokenizer has checked that the bytes are UTF-8.
        let bytes = bytes
        return String(copying: UTF8Span(unchecked: bytes.span.extracting(token.range)))
    }

    /// Returns a number without a fraction and an exponent; `nil` if it might exceed the type.
    private func integer<Integer: FixedWidthInteger>(_ type: Integer.Type, at index: Int) -> Integer? {
        let token = tokens[index]
        guard token.kind == .number, token.isPlain else { return nil }
        let isNegative = bytes[Int(token.start)] == UInt8(ascii: "-")
        var magnitude: UInt64 = 0
        for position in Int(token.start) + (isNegative ? 1 : 0)..<Int(token.end) {
            let (product, exceeds) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, sumExceeds) = product.addingReportingOverflow(UInt64(bytes[position] & 0xF))
            guard !exceeds, !sumExceeds else { return nil }
            magnitude = sum
        }
        return isNegative ? Integer(exactly: -Int128(magnitude)) : Integer(exactly: magnitude)
    }

    /// Returns an integer in any notation; `nil` if it is too large for an exact `Double`.
    ///
    /// - Throws: An error if the type cannot represent the number.
    private func exactly<Integer: FixedWidthInteger>(_ type: Integer.Type, at index: Int) throws -> Integer? {
        if let integer = integer(type, at: index) { return integer }
        guard let number = double(at: index) else { return nil }
        guard let integer = Integer(exactly: number) else {
            throw JSONError.numberIsNotRepresentableInSwift(parsed: text(index))
        }
        return number.magnitude < 0x1p53 ? integer : nil
    }

    private func decimal(at index: Int) -> Decimal? {
        tokens[index].kind == .number ? Decimal(string: text(index)) : nil
    }

    /// Returns the nearest number; `nil` if the value is no number, or may be outside of the type's range.
    private func double(at index: Int) -> Double? {
        guard tokens[index].kind == .number else { return nil }
        return exactDouble(at: index) ?? nearest(Double.self, at: index)
    }

    /// Returns the nearest number; `nil` if the value is no number, or may be outside of the type's range.
    private func float(at index: Int) -> Float? {
        guard tokens[index].kind == .number else { return nil }
        // Rounding a number first to a Double and then to a Float can give another result, except for zero.
        if let double = exactDouble(at: index), double.isZero { return Float(double) }
        return nearest(Float.self, at: index)
    }

    private func bool(at index: Int) -> Bool? {
        tokens[index].kind == .bool ? bytes[Int(tokens[index].start)] == UInt8(ascii: "t") : nil
    }

    /// Returns the nearest number; `nil` if the number may be outside of the type's range.
    private func nearest<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ type: Number.Type,
        at index: Int
    ) -> Number? {
        let number = bytes.withUnsafeBytes { String(decoding: $0[tokens[index].range], as: UTF8.self) }
        // Foundation throws for a number that is rounded to zero.
        return Number(number).flatMap { $0.isFinite && !$0.isZero ? $0 : nil }
    }

    private static let powersOf10: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    ]

    /// Returns a number as the quotient of its digits and a power of 10, which a single division rounds correctly.
    ///
    /// - Returns: `nil` if a `Double` cannot represent both of them exactly, or if the number has an exponent.
    private func exactDouble(at index: Int) -> Double? {
        let token = tokens[index]
        var digits: UInt64 = 0
        var fractionStart = Int(token.end)
        let isNegative = bytes[Int(token.start)] == UInt8(ascii: "-")
        guard token.range.count <= 17 else { return nil }
        for position in Int(token.start) + (isNegative ? 1 : 0)..<Int(token.end) {
            switch bytes[position] {
            case UInt8(ascii: "."): fractionStart = position + 1
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits = digits * 10 + UInt64(bytes[position] & 0xF)
            default: return nil
            }
        }
        guard digits <= 1 << 53 else { return nil }
        let magnitude = Double(digits) / Self.powersOf10[Int(token.end) - fractionStart]
        return isNegative ? -magnitude : magnitude
    }

    /// Decodes a scalar with Foundation, which gets an empty container in place of any container.
    ///
    /// - Throws: Foundation's error.
    func decodeByFoundation<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        countScalarByFoundation()
        let token = tokens[index]
        let text: Data =
            switch token.kind {
            case .object: Data("{}".utf8)
            case .array: Data("[]".utf8)
            case .text: Data("\"".utf8) + bytes[token.range] + Data("\"".utf8)
            case .number, .bool, .null, .name: Data(bytes[token.range])
            }
        do {
            return try JSONDecoder().decode(type, from: text)
        } catch {
            leaveToFoundation()
            throw error
        }
    }
}

/// An error with the names of Foundation's parser, because applications may print it.
enum JSONError: Error {
    case numberIsNotRepresentableInSwift(parsed: String)
}
#endif
