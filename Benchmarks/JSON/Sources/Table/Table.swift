import Foundation
import MoyaJSON

/// An input that the library and Foundation encode or decode.
struct Row {
    let name: String
    let size: Int
    let library: () -> Void
    /// Runs the library without knowledge of earlier attempts.
    let first: () -> Void
    let foundation: () -> Void
}

/// The inputs.
struct Table {
    private(set) var rows: [Row] = []

    private mutating func decode<Value: Decodable>(
        _ name: String,
        _ type: Value.Type,
        _ json: String,
        _ configure: (JSONDecoder) -> Void = { _ in }
    ) {
        let data = Data(json.utf8)
        let decoder = JSONDecoder()
        configure(decoder)
        rows.append(
            Row(
                name: "decode: " + name,
                size: data.count,
                library: { keep(try? decoder.quicklyDecode(type, from: data)) },
                first: {
                    // A success makes the attempts forget an earlier failure.
                    attempts.end(type, isSuccess: true)
                    keep(try? decoder.decode(type, from: data, attempts: attempts))
                },
                foundation: { keep(try? decoder.decode(type, from: data)) }
            )
        )
    }

    private mutating func encode<Value: Encodable>(
        _ name: String,
        _ value: Value,
        _ configure: (JSONEncoder) -> Void = { _ in }
    ) {
        let encoder = JSONEncoder()
        configure(encoder)
        rows.append(
            Row(
                name: "encode: " + name,
                size: (try? encoder.encode(value).count) ?? 0,
                library: { keep(try? encoder.quicklyEncode(value)) },
                first: {
                    // A success makes the attempts forget an earlier failure.
                    attempts.end(Value.self, isSuccess: true)
                    keep(try? encoder.encode(value, attempts: attempts))
                },
                foundation: { keep(try? encoder.encode(value)) }
            )
        )
    }

    private mutating func both<Value: Codable>(_ name: String, _ type: Value.Type, _ json: String) {
        decode(name, type, json)
        guard let value = try? JSONDecoder().decode(type, from: Data(json.utf8)) else { fatalError(name) }
        encode(name, value)
    }

    private func list(_ count: Int, _ element: (Int) -> String) -> String {
        "[" + (0..<count).map(element).joined(separator: ",") + "]"
    }

    /// Encodes values that are decoded from text.
    private func users(_ json: String) -> [User] {
        (try? JSONDecoder().decode([User].self, from: Data(json.utf8))) ?? []
    }

    init() {
        let small = #"{"id":12,"name":"Octo Cat","ok":true,"extra":"something"}"#
        let user = { (id: Int) in
            #"{"id":\#(id),"login":"octocat","name":"The Octocat","isAdmin":false,"score":97.5,"tags":["swift","http"]}"#
        }
        let person = { (id: Int) in
            #"{"id":\#(id),"address":{"street":"Main street 1","city":"Bern","point":{"latitude":46.948,"longitude":7.4474}},"#
                + #""friends":[{"id":1,"name":"A","ok":true},{"id":2,"name":"B","ok":false}]}"#
        }
        both("an object of 60 bytes", Small.self, small)
        both("plain rows", [User].self, list(100, user))
        both("plain rows, 1 MB", [User].self, list(9_000, user))
        both("nested objects", Page.self, #"{"total":50,"people":\#(list(50, person))}"#)
        both("integers", [Int].self, list(1_000) { String($0 * 7_919) })
        both("integers, 1 MB", [Int].self, list(130_000) { String($0 * 7_919 % 10_000_000) })
        both("doubles", [Double].self, list(1_000) { String(Double($0) * 1.37) })
        both("doubles with 17 digits", [Double].self, list(1_000) { String(Double($0 + 1) / 7) })
        both("floats", [Float].self, list(1_000) { String(Float($0 + 1) / 7) })
        both("texts", [String].self, list(1_000) { #""text number \#($0)""# })
        both("decimals", [Decimal].self, list(1_000) { "\($0).\($0 % 90 + 10)" })
        decode("integers written 1.0", [Int].self, list(1_000) { "\($0).0" })
        decode("integers written 1.0 in rows", [Small].self, list(100) { #"{"id":\#($0).0,"name":"a","ok":true}"# })
        decode("integers written 1e3", [Int].self, list(1_000) { "\($0)e3" })
        both("dates as numbers", [Event].self, list(100) { #"{"id":\#($0),"date":\#(700_000_000 + $0)}"# })
        decode("dates, seconds since 1970", [Event].self, list(100) { #"{"id":\#($0),"date":\#(1_700_000_000 + $0)}"# })
        {
            $0.dateDecodingStrategy = .secondsSince1970
        }
        decode("dates, milliseconds since 1970", [Event].self, list(100) { #"{"id":\#($0),"date":1700000000\#($0)}"# })
        {
            $0.dateDecodingStrategy = .millisecondsSince1970
        }
        decode("dates, ISO 8601", [Event].self, list(100) { #"{"id":\#($0),"date":"2024-05-01T12:00:00Z"}"# }) {
            $0.dateDecodingStrategy = .iso8601
        }
        decode("dates, own closure", [Event].self, list(100) { #"{"id":\#($0),"date":"\#($0)"}"# }) {
            $0.dateDecodingStrategy = .custom { decoder in
                Date(timeIntervalSince1970: Double(try decoder.singleValueContainer().decode(String.self)) ?? 0)
            }
        }
        let base64 = Data((0..<3_000).map { UInt8(truncatingIfNeeded: $0) }).base64EncodedString()
        both("data as Base64", Blob.self, #"{"name":"a","data":"\#(base64)"}"#)
        both("data as Base64, short", [Data].self, list(100) { _ in #""aGVsbG8gd29ybGQ=""# })
        let snake = list(100) { #"{"user_id":\#($0),"first_name":"Octo","last_name":"Cat","is_admin":true}"# }
        decode("names in snake case", [Snake].self, snake) { $0.keyDecodingStrategy = .convertFromSnakeCase }
        decode(
            "names by a closure",
            [Snake].self,
            list(100) { #"{"userId":\#($0),"firstName":"a","lastName":"b","isAdmin":true}"# }
        ) {
            $0.keyDecodingStrategy = .custom { $0[$0.count - 1] }
        }
        both(
            "enumerations with raw values",
            [Ticket].self,
            list(100) { _ in #"{"level":"low","code":2,"levels":["middle","high"]}"# }
        )
        both("enumerations with payloads", [Action].self, list(100) { _ in #"{"open":{"url":"https://a"}}"# })
        both(
            "dictionary",
            [String: Int].self,
            "{" + (0..<500).map { #""name\#($0)":\#($0)"# }.joined(separator: ",") + "}"
        )
        both(
            "dictionary of objects",
            [String: Small].self,
            "{" + (0..<200).map { #""name\#($0)":\#(small)"# }.joined(separator: ",") + "}"
        )
        both(
            "dictionary with integer keys",
            [Int: String].self,
            "{" + (0..<200).map { #""\#($0)":"a""# }.joined(separator: ",") + "}"
        )
        both("AnyCodable, probing", [AnyCodable].self, list(50, user))
        both("AnyCodable, small", AnyCodable.self, small)
        both("members AnyCodable", [String: AnyCodable].self, #"{"a":1.5,"b":[1,"x",null],"c":{"d":true}}"#)
        decode("number or text", [LooseID].self, list(100) { #"{"id":"\#($0)"}"# })
        decode("elements that fail are passed over", Lossy<Int>.self, list(100) { $0 % 2 == 0 ? "1" : #""x""# })
        both("optionals absent", [Sparse].self, list(100) { #"{"id":\#($0)}"# })
        both("optionals null", [Sparse].self, list(100) { #"{"id":\#($0),"a":null,"b":null,"c":null,"h":null}"# })
        decode(
            "optionals absent, names with escapes",
            [Sparse].self,
            list(100) { #"{"id":\#($0),"\u0078":1,"y\/":2,"z":3}"# }
        )
        decode(
            "optionals absent, names beyond ASCII",
            [Sparse].self,
            list(100) { #"{"id":\#($0),"größe":1,"名前":2,"z":3}"# }
        )
        decode(
            "optionals absent, 40 other names",
            [Sparse].self,
            list(20) { id in
                #"{"id":\#(id),"# + (0..<40).map { #""other\#($0)":\#($0)"# }.joined(separator: ",") + "}"
            }
        )
        decode(
            "optionals absent, 40 names with escapes",
            [Sparse].self,
            list(20) { id in
                #"{"id":\#(id),"# + (0..<40).map { #""\u006fther\#($0)":\#($0)"# }.joined(separator: ",") + "}"
            }
        )
        let big = list(500) { user($0) }
        decode("big members that are skipped", OnlyID.self, #"{"other":\#(big),"id":1}"#)
        decode(
            "big text that is skipped",
            OnlyID.self,
            #"{"other":"\#(String(repeating: "lorem ipsum ", count: 5_000))","id":1}"#
        )
        decode(
            "big text with escapes that is skipped",
            OnlyID.self,
            #"{"other":"\#(String(repeating: #"a\n\"b\" "#, count: 5_000))","id":1}"#
        )
        decode(
            "big numbers that are skipped",
            OnlyID.self,
            #"{"other":\#(list(10_000) { String(Double($0) / 7) }),"id":1}"#
        )
        decode(
            "pretty printed, skipped",
            OnlyID.self,
            #"{"other":\#(big.replacingOccurrences(of: ",", with: ",\n        ")),"id":1}"#
        )
        decode("first of 1 MB, type without members", Nothing.self, #"{"other":\#(list(9_000, user))}"#)
        both(
            "long text beyond ASCII",
            [String].self,
            list(20) { _ in "\"" + String(repeating: "Grüße 世界 😀 ", count: 50) + "\"" }
        )
        both("texts with escapes", [String].self, list(100) { #""line \#($0)\n\"quoted\" \u00e9\ud83d\ude00""# })
        both(
            "deep nesting, 100 levels",
            Tree.self,
            String(repeating: #"{"child":"#, count: 100) + "{}" + String(repeating: "}", count: 100)
        )
        decode(
            "deep nesting, 300 levels",
            Tree.self,
            String(repeating: #"{"child":"#, count: 300) + "{}" + String(repeating: "}", count: 300)
        )
        both(
            "URL and UUID",
            [Links].self,
            list(100) { _ in
                #"{"id":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","home":"https://example.com/a?b=c","image":null}"#
            }
        )
        both("superclass", [Dog].self, list(100) { #"{"age":\#($0),"super":{"name":"Rex","legs":4}}"# })
        both(
            "type, then its members",
            [Shape].self,
            list(100) { $0 % 2 == 0 ? #"{"type":"circle","radius":1.5}"# : #"{"type":"square","side":2,"name":"q"}"# }
        )
        both(
            "nested containers",
            [Manual].self,
            list(100) { #"{"values":[1,2,\#($0)],"inner":{"a":1,"b":2},"extra":3}"# }
        )
        both("arrays in arrays", [[Int]].self, list(100) { "[\($0),2,3]" })
        both("optional elements", [Int?].self, list(1_000) { $0 % 2 == 0 ? "null" : "7" })
        both(
            "limits of numbers",
            [Limits].self,
            list(100) { _ in
                #"{"i8":-128,"i16":32767,"i32":-2147483648,"i64":9223372036854775807,"u8":255,"u64":18446744073709551615,"f":3.4e38,"d":1.7e308}"#
            }
        )
        both("minus zero", [Double].self, list(100) { _ in "-0" })
        decode("numbers of 40 digits", [Double].self, list(100) { _ in String(repeating: "1", count: 40) })
        decode(
            "a number of 40 digits at the end, skipped",
            OnlyID.self,
            #"{"other":\#(big),"id":1,"n":\#(String(repeating: "1", count: 40))}"#
        )
        decode("repeated name at the end", OnlyID.self, #"{"other":\#(big),"id":1,"id":2}"#)
        decode("a lone surrogate at the end", OnlyID.self, #"{"other":\#(big),"id":1,"n":"\ud800"}"#)
        both("fragment: text", String.self, #""hello""#)
        both("fragment: number", Int.self, "17")
        both("fragment: null", Int?.self, "null")
        // These inputs cause errors.
        decode(
            "error: type of the last member of 1 MB",
            [User].self,
            String(list(9_000, user).dropLast()) + #",{"id":"x"}]"#
        )
        decode("error: small type mismatch", Small.self, #"{"id":"x","name":"a","ok":true}"#)
        decode("error: missing member", [User].self, list(100, user).dropLast() + #",{"id":1}]"#)
        decode("error: integer with a fraction", [Small].self, list(100) { #"{"id":\#($0).5,"name":"a","ok":true}"# })
        decode("error: cut at the end", [User].self, String(list(500, user).dropLast()))
        decode(
            "error: malformed in the middle",
            [User].self,
            String(list(250, user).dropLast()) + ",}," + list(250, user).dropFirst()
        )
        decode("error: text after the value", [User].self, list(500, user) + "x")
        decode("error: HTML", [User].self, "<html><body>Not found</body></html>")
        decode("error: empty", [User].self, "")
        decode("error: Int8 exceeds", [Int8].self, list(100) { String($0 * 2) })
        // These inputs are only encoded.
        encode("names sorted", users(list(100, user))) {
            $0.outputFormatting = .sortedKeys
        }
        encode("pretty printed", users(list(100, user))) {
            $0.outputFormatting = .prettyPrinted
        }
        encode("dates, ISO 8601", (0..<100).map { Event(id: $0, date: Date(timeIntervalSince1970: Double($0))) }) {
            $0.dateEncodingStrategy = .iso8601
        }
        encode("names in snake case", (0..<100).map { Snake(userId: $0, firstName: "a", lastName: "b", isAdmin: true) })
        { $0.keyEncodingStrategy = .convertToSnakeCase }
        encode("containers in turn", (0..<100).map { _ in Interleaved() })
        encode("coding path", (0..<100).map { _ in Path() })
        encode("empty object", Nothing())
        encode("error: not finite at the end", (0..<1_000).map { $0 < 999 ? Double($0) : .infinity })
    }
}

private let attempts = JSONAttempts()

/// Prevents the compiler from eliminating the computation of a value.
@inline(never)
func keep<Value>(_ value: Value) {}
