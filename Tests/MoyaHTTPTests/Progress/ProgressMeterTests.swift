import Foundation
import Testing

@testable import MoyaHTTP

@Suite("A progress meter reports in order, and not after the end")
struct ProgressMeterTests {
    @Test("a report that becomes due during the call of the handler follows it")
    func overlapping() {
        let reported = Locked<[Int64]>([])
        let meter = Locked<ProgressMeter?>(nil)
        let created = ProgressMeter { progress in
            if progress.completedUnitCount == 4 {
                let meter = meter.withLock { $0 }
                // Another thread may do the same while this thread calls the handler.
                meter?.advance(to: 10, of: nil)
                meter?.advance(to: 21, of: nil)
                meter?.flush()
            }
            reported.withLock { $0.append(progress.completedUnitCount) }
        }
        meter.withLock { $0 = created }
        created.advance(to: 4, of: nil)
        #expect(reported.withLock { $0 } == [4, 21])
        created.advance(to: 40, of: nil)
        #expect(reported.withLock { $0 } == [4, 21, 40])
        meter.withLock { $0 = nil }
    }

    @Test("a last report that is due at the end of a request, while the handler runs, follows it")
    func endDuringReport() {
        let reported = Locked<[Int64]>([])
        let meter = Locked<ProgressMeter?>(nil)
        let created = ProgressMeter(total: 10) { progress in
            if progress.completedUnitCount == 4 {
                let meter = meter.withLock { $0 }
                meter?.advance(to: 10, of: 10)
                meter?.silence()
                meter?.advance(to: 20, of: 20)
            }
            reported.withLock { $0.append(progress.completedUnitCount) }
        }
        meter.withLock { $0 = created }
        created.advance(to: 4, of: 10)
        #expect(reported.withLock { $0 } == [4, 10])
        meter.withLock { $0 = nil }
    }

    @Test("nothing is reported after the end of a request")
    func end() {
        let reported = Locked<[Int64]>([])
        let meter = ProgressMeter { progress in reported.withLock { $0.append(progress.completedUnitCount) } }
        meter.advance(to: 4, of: nil)
        meter.silence()
        meter.advance(to: 10, of: nil)
        meter.flush()
        #expect(reported.withLock { $0 } == [4])
    }
}
