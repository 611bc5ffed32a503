import Foundation
import Moya
import MoyaHTTP
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Endpoints are compared by their parameters")
struct EndpointEqualityTests {
    private struct Order: Encodable, Sendable {
        var number = 1
        var customer = ["name": "Ash", "city": "Pallet", "mail": "ash@h"]
        var lines = [["article": "ball", "color": "red", "count": "3"], ["article": "rope", "length": "10"]]
        var notes: [String: [String: Int]] = ["a": ["x": 1, "y": 2, "z": 3], "b": ["x": 4, "y": 5, "z": 6]]
        var date = Date(timeIntervalSince1970: 1.5)
    }

    /// A parameter's value with properties.
    private struct Label: Hashable, Sendable {
        var text: String
        var color = Color.red
        enum Color: Sendable { case red, blue }
    }

    /// Writes the parameters in the dictionary's order, which differs between dictionaries.
    private struct LinesEncoding: ParameterEncoding {
        var separator = "\n"

        func encode(_ urlRequest: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws
            -> URLRequest
        {
            var request = try urlRequest.asURLRequest()
            request.httpBody = Data((parameters ?? [:]).map { "\($0): \($1)" }.joined(separator: separator).utf8)
            return request
        }
    }

    /// Writes a different body each time.
    private struct NumberedEncoding: ParameterEncoding {
        private static let count = Locked(0)

        func encode(_ urlRequest: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws
            -> URLRequest
        {
            var request = try urlRequest.asURLRequest()
            request.httpBody = Data("\(Self.count.withLock { $0 += 1; return $0 })".utf8)
            return request
        }
    }

    /// Encodes with a closure, so that only the output can be compared.
    private struct ClosureEncoding: ParameterEncoding {
        let body: @Sendable ([String: any Sendable]) -> String

        func encode(_ urlRequest: any URLRequestConvertible, with parameters: [String: any Sendable]?) throws
            -> URLRequest
        {
            var request = try urlRequest.asURLRequest()
            request.httpBody = Data(body(parameters ?? [:]).utf8)
            return request
        }
    }

    /// An encoder that writes a prefix before the JSON.
    private final class OwnEncoder: JSONEncoder, @unchecked Sendable {
        override func encode<T: Encodable>(_ value: T) throws -> Data { Data("own ".utf8) + (try super.encode(value)) }
    }

    /// Returns equal dictionaries, whose keys have different orders because they are inserted in different orders.
    private static func parameters(_ index: Int) -> [String: any Sendable] {
        let keys = ["one", "two", "three", "four", "five"]
        let deepest: [String: any Sendable] = ["d": 1.5, "e": "f", "g": "h"]
        let nested: [String: any Sendable] = ["a": 1, "b": [true, false], "c": deepest]
        var result: [String: any Sendable] = [:]
        result.reserveCapacity(1 << index)
        for key in index.isMultiple(of: 2) ? keys : keys.reversed() { result[key] = nested }
        return result
    }

    private static func encoder(_ set: (JSONEncoder) -> Void = { _ in }) -> JSONEncoder {
        let encoder = JSONEncoder()
        set(encoder)
        return encoder
    }

    private static let custom = encoder { $0.keyEncodingStrategy = .convertToSnakeCase }
    private static let own = OwnEncoder()
    private static let destination: DownloadDestination = { file, _ in (file, []) }
    private static let streamed = MultipartFormData.FormDataProvider.stream(InputStream(data: Data("x".utf8)), 1)
    private static let form = [
        MultipartFormData(provider: .data(Data("a".utf8)), name: "n", fileName: "f", mimeType: "m"),
        MultipartFormData(provider: streamed, name: "s"),
    ]

    /// Each function creates equal tasks.
    static let makers: [(name: String, make: @Sendable (Int) -> HTTPTask)] = [
        ("a value as JSON", { _ in .requestJSONEncodable(Order()) }),
        ("a dictionary as JSON", { .requestJSONEncodable(["a": $0 - $0, "b": 2, "c": 3]) }),
        ("nested dictionaries", { _ in .requestJSONEncodable(Order().notes) }),
        ("a value by an encoder", { _ in .requestCustomJSONEncodable(Order(), encoder: custom) }),
        (
            "a value by equal encoders",
            { _ in .requestCustomJSONEncodable(Order(), encoder: encoder { $0.dateEncodingStrategy = .iso8601 }) }
        ),
        ("a value by an encoder of one's own", { _ in .requestCustomJSONEncodable(Order(), encoder: own) }),
        ("JSON parameters", { .requestParameters(parameters: parameters($0), encoding: JSONEncoding.default) }),
        ("URL parameters", { .requestParameters(parameters: parameters($0), encoding: URLEncoding.default) }),
        ("query parameters", { .requestParameters(parameters: parameters($0), encoding: URLEncoding.queryString) }),
        (
            "a property list",
            { .requestParameters(parameters: parameters($0), encoding: PropertyListEncoding.default) }
        ),
        (
            "a binary property list",
            { .requestParameters(parameters: parameters($0), encoding: PropertyListEncoding.binary) }
        ),
        ("an encoding of one's own", { .requestParameters(parameters: parameters($0), encoding: LinesEncoding()) }),
        (
            "one with values of one's own",
            {
                var parameters = parameters($0)
                parameters["label"] = Label(text: "l")
                parameters["set"] = Set($0.isMultiple(of: 2) ? [1, 2, 3, 4] : [4, 3, 2, 1])
                parameters["optional"] = Int?.none
                parameters["nan"] = Double.nan
                parameters["date"] = Date(timeIntervalSince1970: 1)
                parameters["url"] = URL(fileURLWithPath: "/f")
                return .requestParameters(parameters: parameters, encoding: LinesEncoding())
            }
        ),
        (
            "one that never writes the same",
            { .requestParameters(parameters: parameters($0), encoding: NumberedEncoding()) }
        ),
        (
            "one with a closure",
            { .requestParameters(parameters: parameters($0), encoding: ClosureEncoding { "\($0.count)" }) }
        ),
        (
            "data and a query",
            { .requestCompositeData(bodyData: Data("d".utf8), urlParameters: parameters($0)) }
        ),
        (
            "JSON and a query",
            {
                .requestCompositeParameters(
                    bodyParameters: parameters($0),
                    bodyEncoding: JSONEncoding.prettyPrinted,
                    urlParameters: parameters($0 + 1)
                )
            }
        ),
        (
            "a download",
            {
                .downloadParameters(
                    parameters: parameters($0),
                    encoding: JSONEncoding.default,
                    destination: destination
                )
            }
        ),
        ("a form", { .uploadCompositeMultipart(form, urlParameters: parameters($0)) }),
        ("JSON in gzip", { _ in .gzipped(.requestJSONEncodable(Order())) }),
        ("JSON with a query", { .requestJSONEncodable(Order()).adding(query: parameters($0)) }),
        (
            "a value as a form",
            { _ in
                .requestFormEncodable(
                    ["a": "1", "b": "2", "c": "3", "d": "4"],
                    encoder: URLEncodedFormEncoder(keyOrder: .asEncoded)
                )
            }
        ),
    ]

    @Test("endpoints with equal parameters in any order are equal and have equal hashes", arguments: makers.indices)
    func equal(index: Int) {
        let (name, make) = Self.makers[index]
        let one = Endpoint.sending(make(0))
        for round in 1...100 {
            let other = Endpoint.sending(make(round % 8))
            #expect(one == one, "\(name)")
            #expect(one == other && other == one, "\(name)")
            #expect(one.hashValue == other.hashValue, "\(name)")
            guard one == other, one.hashValue == other.hashValue else { return }
        }
    }

    private static func sending(_ parameters: [String: any Sendable], _ encoding: any ParameterEncoding) -> HTTPTask {
        .requestParameters(parameters: parameters, encoding: encoding)
    }

    private static let plain: [String: any Sendable] = ["a": ["b": 1], "c": 2]

    private static let encodings: [any ParameterEncoding] = [
        JSONEncoding.default, JSONEncoding.prettyPrinted, PropertyListEncoding.default, PropertyListEncoding.binary,
        URLEncoding.default, URLEncoding(destination: .queryString), LinesEncoding(), LinesEncoding(separator: ","),
    ]

    /// Tasks that are pairwise unequal.
    static let different: [HTTPTask] =
        encodings.flatMap { encoding in
            [
                sending(plain, encoding),
                sending(["a": ["b": 3], "c": 2], encoding),
                sending(["a": ["b": 1], "d": 2, "e": 4], encoding),
            ]
        } + [
            sending(plain, ClosureEncoding { "\($0.count)" }),
            sending(plain, ClosureEncoding { "\($0.count + 1)" }),
            sending(["label": Label(text: "a")], LinesEncoding()),
            sending(["label": Label(text: "a", color: .blue)], LinesEncoding()),
            sending(["label": Label(text: "b")], LinesEncoding()),
            sending(["label": [1, 2]], LinesEncoding()),
            sending(["label": [2, 1]], LinesEncoding()),
            sending(["label": Set([1, 2])], LinesEncoding()),
            sending(["label": true], LinesEncoding()),
            sending(["label": 1], LinesEncoding()),
            sending(["label": 1.5], LinesEncoding()),
            sending(["label": "1"], LinesEncoding()),
            sending(["label": Date(timeIntervalSince1970: 1)], LinesEncoding()),
            sending(["label": Date(timeIntervalSince1970: 2)], LinesEncoding()),
            sending(["label": Data("a".utf8)], LinesEncoding()),
            sending(["label": Data("b".utf8)], LinesEncoding()),
            .requestJSONEncodable(Order()), .requestJSONEncodable(Order(number: 2)),
            .requestJSONEncodable(Order(notes: ["a": ["x": 1]])),
            .requestCustomJSONEncodable(Order(), encoder: encoder { $0.outputFormatting = .prettyPrinted }),
            .requestCustomJSONEncodable(Order(), encoder: encoder { $0.dateEncodingStrategy = .secondsSince1970 }),
            .requestCustomJSONEncodable(Order(), encoder: own),
            .requestCustomJSONEncodable(Order(number: 2), encoder: own),
        ]

    @Test("endpoints with different parameters are not equal")
    func unequal() {
        let endpoints = Self.different.map { Endpoint.sending($0) }
        for (index, one) in endpoints.enumerated() {
            for (place, other) in endpoints.enumerated() {
                #expect((one == other) == (index == place), "\(index) and \(place)")
            }
        }
        #expect(Set(endpoints).count == endpoints.count)
    }

    @Test("a thousand equal requests in flight share one exchange")
    func inflight() async {
        let sent = Locked(0)
        let (started, go) = (Promise<Void>(), Promise<Void>())
        let provider = MoyaProvider<TaskTarget>(
            session: Session(
                FakeTransport { _ in
                    sent.withLock { $0 += 1 }
                    started.fulfill(())
                    await go.wait()
                    return TransportResponse(status: 200)
                }
            ),
            trackInflights: true
        )
        let done = Promise<Void>()
        let left = Locked(1_000)
        for _ in 0..<1_000 {
            provider.request(TaskTarget(task: .requestJSONEncodable(Order())), callbackQueue: .global()) { _ in
                if left.withLock({
                    $0 -= 1; return $0 == 0
                }) {
                    done.fulfill(())
                }
            }
        }
        #expect(provider.inflightRequests.count == 1)
        await started.wait()
        go.fulfill(())
        guard provider.inflightRequests.count <= 1 else { return }
        await done.wait()
        #expect(sent.withLock { $0 } == 1)
    }
}
