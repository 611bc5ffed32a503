#if Observability
import CoreMetrics

extension CoreMetrics.Timer {
    /// Records a duration.
    func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let (nanoseconds, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        recordNanoseconds(isTooLong ? .max : nanoseconds + attoseconds / 1_000_000_000)
    }
}
#endif
