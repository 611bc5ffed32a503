import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("A transport keeps a limited number of idle connections")
struct IdleConnectionsTests {
    private enum Step: Sendable, CustomStringConvertible {
        case idle(Int, givesUp: Int? = nil)
        case used(Int)
        case closed(Int)
        case all([Int])

        var description: String {
            switch self {
            case .idle(let id, let other): "idle \(id) → \(other.map(String.init) ?? "-")"
            case .used(let id): "used \(id)"
            case .closed(let id): "closed \(id)"
            case .all(let ids): "all \(ids)"
            }
        }
    }

    private struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let limit: Int
        let steps: [Step]
        let count: Int

        init(_ description: String, limit: Int, _ steps: [Step], count: Int) {
            (testDescription, self.limit, self.steps, self.count) = (description, limit, steps, count)
        }
    }

    private static let table: [Row] = [
        Row("up to the limit, all are kept", limit: 3, [.idle(1), .idle(2), .idle(3)], count: 3),
        Row("the least recently used one is given up", limit: 2, [.idle(1), .idle(2), .idle(3, givesUp: 1)], count: 2),
        Row(
            "use counts, not age",
            limit: 2,
            [.idle(1), .idle(2), .used(1), .idle(1), .idle(3, givesUp: 2), .idle(4, givesUp: 1)],
            count: 2
        ),
        Row("idle twice is idle once", limit: 2, [.idle(1), .idle(1), .idle(2), .idle(3, givesUp: 1)], count: 2),
        Row("used twice is used once", limit: 2, [.idle(1), .used(1), .used(1), .idle(2), .idle(3)], count: 2),
        Row(
            "one from the middle or the end leaves the others in order",
            limit: 3,
            [
                .idle(1), .idle(2), .idle(3), .used(2), .closed(3), .idle(4), .idle(5), .idle(6, givesUp: 1),
                .idle(7, givesUp: 4),
            ],
            count: 3
        ),
        Row("a closed one makes room", limit: 2, [.idle(1), .idle(2), .closed(1), .idle(3)], count: 2),
        Row("with a limit of zero none is kept", limit: 0, [.idle(1, givesUp: 1), .idle(2, givesUp: 2)], count: 0),
        Row(
            "all are given up together, the oldest first",
            limit: 9,
            [.idle(3), .idle(1), .idle(2), .used(1), .all([3, 2]), .all([]), .idle(1)],
            count: 1
        ),
    ]

    @Test("the least recently used idle connection is closed first", arguments: table)
    private func order(_ row: Row) {
        var connections = IdleConnections<Int>(limit: row.limit)
        var places: [Int: Int] = [:]
        func place(of id: Int) -> Int {
            if let place = places[id] { return place }
            let place = connections.add(id)
            places[id] = place
            return place
        }
        for step in row.steps {
            switch step {
            case .idle(let id, let other): #expect(connections.markIdle(place(of: id)) == other, "\(step)")
            case .used(let id): connections.markUsed(place(of: id))
            case .closed(let id):
                connections.remove(place(of: id))
                places[id] = nil
            case .all(let ids): #expect(connections.takeAll() == ids, "\(step)")
            }
        }
        #expect(connections.count == row.count)
    }

    @Test("the choice of idle connections matches a simple list, and closed connections are forgotten")
    func model() {
        var generator = SystemRandomNumberGenerator()
        for limit in [0, 1, 5, 50] {
            var connections = IdleConnections<Int>(limit: limit)
            var places: [Int: Int] = [:]
            var idle: [Int] = []
            for id in 0..<2_000 {
                places[id] = connections.add(id)
                for _ in 0..<3 {
                    guard let (other, place) = places.randomElement(using: &generator) else { continue }
                    switch Int.random(in: 0..<4, using: &generator) {
                    case 0:
                        connections.markUsed(place)
                        idle.removeAll { $0 == other }
                    case 1:
                        connections.remove(place)
                        places[other] = nil
                        idle.removeAll { $0 == other }
                    default:
                        idle.removeAll { $0 == other }
                        idle.append(other)
                        #expect(connections.markIdle(place) == (idle.count > limit ? idle.removeFirst() : nil))
                    }
                    #expect(connections.count == idle.count)
                }
            }
            #expect(connections.takeAll() == idle)
            #expect(Set(places.values).count == places.count)
        }
    }
}
