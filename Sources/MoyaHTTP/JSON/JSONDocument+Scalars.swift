#if !canImport(Darwin)
    import Foundation

    extension JSONDocument {
        /// Decodes a value; one of a type that `JSONDecoder` does not decode itself by a closure.
        ///
        /// No optional value is returned: its type would have to be looked up at run time.
        @inline(__always)
        func decode<Value: Decodable>(_ type: Value.Type, at index: Int, other: () throws -> Value) throws -> Value {
            if type == String.self { return try require(string(at: index), as: type, at: index) }
            if type == Int.self { return try require(integer(Int.self, at: index), as: type, at: index) }
            if type == Double.self { return try require(double(at: index), as: type, at: index) }
            if type == Bool.self { return try require(bool(at: index), as: type, at: index) }
            return try decodeRare(type, at: index, other: other)
        }

        private func decodeRare<Value: Decodable>(
            _ type: Value.Type,
            at index: Int,
            other: () throws -> Value
        ) throws -> Value {
            if type == [String].self, let texts = array(at: index, string) {
                return try require(texts, as: type, at: index)
            }
            if type == [Int].self, let integers = array(at: index, { integer(Int.self, at: $0) }) {
                return try require(integers, as: type, at: index)
            }
            if type == [Double].self, let numbers = array(at: index, double) {
                return try require(numbers, as: type, at: index)
            }
            if type == Float.self { return try require(float(at: index), as: type, at: index) }
            if type == Int8.self { return try require(integer(Int8.self, at: index), as: type, at: index) }
            if type == Int16.self { return try require(integer(Int16.self, at: index), as: type, at: index) }
            if type == Int32.self { return try require(integer(Int32.self, at: index), as: type, at: index) }
            if type == Int64.self { return try require(integer(Int64.self, at: index), as: type, at: index) }
            if type == Int128.self { return try require(integer(Int128.self, at: index), as: type, at: index) }
            if type == UInt.self { return try require(integer(UInt.self, at: index), as: type, at: index) }
            if type == UInt8.self { return try require(integer(UInt8.self, at: index), as: type, at: index) }
            if type == UInt16.self { return try require(integer(UInt16.self, at: index), as: type, at: index) }
            if type == UInt32.self { return try require(integer(UInt32.self, at: index), as: type, at: index) }
            if type == UInt64.self { return try require(integer(UInt64.self, at: index), as: type, at: index) }
            if type == UInt128.self { return try require(integer(UInt128.self, at: index), as: type, at: index) }
            if type == URL.self { return try require(url(at: index), as: type, at: index) }
            if type == Data.self { return try require(data(at: index), as: type, at: index) }
            if type == Decimal.self { return try decodeByFoundation(type, at: index) }
            return try other()
        }

        /// Returns a scalar of the type; decodes it by Foundation if it is `nil`.
        @inline(__always)
        private func require<Scalar, Value: Decodable>(
            _ scalar: Scalar?,
            as type: Value.Type,
            at index: Int
        ) throws -> Value {
            if let scalar, Scalar.self == Value.self { return unsafeBitCast(scalar, to: Value.self) }
            return try decodeByFoundation(Value.self, at: index)
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

        /// Returns a text, or a name.
        func text(_ index: Int) -> String {
            let token = tokens[index]
            return bytes.withUnsafeBytes { bytes in
                let quoted = JSONReader.Quoted(range: token.range, hasEscapes: true)
                guard token.isPlain else { return JSONReader(bytes).text(quoted) }
                return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[token.range]), as: UTF8.self)
            }
        }

        /// Returns a number without a fraction and an exponent; `nil` if it may not fit the type.
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
            guard isNegative else { return Integer(exactly: magnitude) }
            return magnitude <= UInt64(Int64.max) ? Integer(exactly: -Int64(magnitude)) : nil
        }

        /// Returns the nearest number; `nil` if there may be none.
        private func double(at index: Int) -> Double? {
            guard tokens[index].kind == .number else { return nil }
            return exactDouble(at: index) ?? nearest(Double.self, at: index)
        }

        /// Returns the nearest number; `nil` if there may be none.
        private func float(at index: Int) -> Float? {
            guard tokens[index].kind == .number else { return nil }
            // Rounding twice would not be the same, except for zero.
            if let double = exactDouble(at: index), double.isZero { return Float(double) }
            return nearest(Float.self, at: index)
        }

        private func bool(at index: Int) -> Bool? {
            tokens[index].kind == .bool ? bytes[Int(tokens[index].start)] == UInt8(ascii: "t") : nil
        }

        /// Returns the nearest number; `nil` if there may be none.
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

        /// Returns a number without an exponent whose digits, and the power of 10 they are divided by, are exact as `Double`:
        /// then one division rounds it correctly.
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

        /// Decodes a scalar as Foundation does; an empty container stands for any.
        ///
        /// - Throws: Foundation's error.
        func decodeByFoundation<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
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
#endif
