import Foundation
import TestSupport
import Testing

extension TemporaryFolder {
    /// Waits until the folder has these files, and fails after a minute.
    func expectNames(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while try names != expected, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
        #expect(try names == expected, sourceLocation: sourceLocation)
    }
}
