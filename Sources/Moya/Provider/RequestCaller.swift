import Foundation

/// One call of `request`: where its results go, and in which order.
final class RequestCaller<Target: TargetType>: Sendable {
    let target: Target
    /// The queue that was asked for, if any.
    let queue: DispatchQueue?
    let completion: Completion
    let token = CancellableToken()

    private let watch: ProgressWatch?

    init(target: Target, queue: DispatchQueue?, progress: ProgressBlock?, completion: @escaping Completion) {
        self.target = target
        self.queue = queue
        self.completion = completion
        watch = progress.map { report in
            ProgressWatch(report: report, order: DispatchQueue(label: "Moya.RequestCaller", target: queue ?? .main))
        }
    }

    /// Where results of the network arrive.
    var resultQueue: DispatchQueue { watch?.order ?? queue ?? .main }

    var wantsProgress: Bool { watch != nil }

    /// Reports progress, in order and before the result.
    func report(_ progress: Progress) {
        guard let watch else { return }
        watch.last.withLock { $0 = progress }
        watch.order.async { watch.report(ProgressResponse(progress: progress)) }
    }

    /// Makes the final progress call, with the response if there is one. The result must follow on the same queue.
    func reportEnd(_ result: Result<Response, MoyaError>) {
        guard let watch else { return }
        watch.report(ProgressResponse(progress: watch.last.withLock { $0 }, response: try? result.get()))
    }

    /// Runs a function on the queue that was asked for; without one, here and now.
    func hopIfAsked(_ body: @escaping @Sendable () -> Void) {
        if let queue { queue.async(execute: body) } else { body() }
    }
}

/// How a caller hears of progress, if it wants to.
private struct ProgressWatch: Sendable {
    let report: ProgressBlock
    /// Keeps progress and result in order on a queue that may be concurrent.
    let order: DispatchQueue
    let last = Locked<Progress?>(nil)
}
