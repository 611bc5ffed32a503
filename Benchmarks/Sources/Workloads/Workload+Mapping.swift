import Foundation
import Moya

extension Workload {
    /// The workloads for the steps from a response to a value.
    public static let mapping: [Workload] = [
        Workload("map", "Mapping of a response") { try plain.map(User.self) },
        Workload("map-key-path", "Mapping of a response at a key path") {
            try nested.map(User.self, atKeyPath: "data.user")
        },
        Workload("map-foundation", "The same by JSONDecoder alone, to compare") {
            try JSONDecoder().decode(User.self, from: User.json)
        },
    ]

    /// All workloads without a network.
    public static let pipeline = stubs + building + mapping + cached + resilience + observability

    private static let plain = Response(statusCode: 200, data: User.json)
    private static let nested = Response(statusCode: 200, data: User.nestedJSON)
}
