#if NIO && !canImport(Darwin)
import Testing

@testable import MoyaHTTP
@testable import MoyaNIOTransport

@Suite("Connections are assigned to event loops")
struct LoopAssignmentTests {
    @Test(
        "few connections share the first event loop, and many connections are distributed evenly",
        arguments: [1, 2, 3, 8]
    )
    func spread(loops: Int) {
        var assignment = LoopAssignment(loops: loops)
        let level = LoopAssignment.connectionsPerLoop
        let indices = (0..<loops * level * 2).map { _ in assignment.add() }
        #expect(indices.prefix(level).allSatisfy { $0 == 0 })
        for index in 0..<loops { #expect(indices.filter { $0 == index }.count == level * 2) }
        let first = (0..<loops).flatMap { Array(repeating: $0, count: level) }
        #expect(Array(indices.prefix(loops * level)) == first)
    }

    @Test("each HTTP/2 connection gets the event loop with the fewest connections")
    func http2() {
        var assignment = LoopAssignment(loops: 3)
        // The version of the first connection is not known before it is open.
        #expect(assignment.add() == 0)
        #expect((0..<5).map { _ in assignment.add(isFurther: true) } == [1, 2, 0, 1, 2])
        assignment.remove(from: 1)
        assignment.remove(from: 1)
        #expect((0..<3).map { _ in assignment.add(isFurther: true) } == [1, 1, 0])
    }

    @Test("the place of a closed connection on an event loop is used first")
    func reuse() {
        var assignment = LoopAssignment(loops: 2)
        for _ in 0..<LoopAssignment.connectionsPerLoop + 2 { _ = assignment.add() }
        assignment.remove(from: 0)
        #expect(assignment.add() == 0)
        #expect(assignment.add() == 1)
    }

    @Test("the connection of a caller on an event loop is on this event loop")
    func caller() {
        var assignment = LoopAssignment(loops: 3)
        #expect(!assignment.hasConnection(on: 2))
        #expect(assignment.add(for: 2) == 2)
        #expect(assignment.hasConnection(on: 2))
        #expect(assignment.add() == 0)
        assignment.remove(from: 2)
        #expect(!assignment.hasConnection(on: 2))
        // The caller is on an event loop of another transport.
        #expect(assignment.add(for: 3) == 0)
        #expect(!assignment.hasConnection(on: 3))
    }

    @Test("removing an unknown connection does not change the assignment to event loops")
    func unknown() {
        var assignment = LoopAssignment(loops: 1)
        assignment.remove(from: 0)
        assignment.remove(from: 7)
        #expect(assignment.add() == 0)
    }
}
#endif
