import Foundation

/// One call of `request`: where its results go, and in which order.
final class RequestCaller<Target: TargetType>: Sendable {
    let target: Target
    /// The queue that was asked for, if any.
    let queue: DispatchQueue?
    let completion: Completion
    let token = CancellableToken()

    private let progress: ProgressBlock?
    /// Keeps progress and result in order on a queue that may be concurrent.
    private let order: DispatchQueue?
    private let lastProgress = Locked<Progress?>(nil)

    init(target: Target, queue: DispatchQueue?, progress: ProgressBlock?, completion: @escaping Completion) {
        self.target = target
        self.queue = queue
        self.progress = progress
        self.completion = completion
        order = progress.map { _ in DispatchQueue(label: "Moya.RequestCaller", target: queue ?? .main) }
    }

    /// Where results of the network arrive.
    var resultQueue: DispatchQueue { order ?? queue ?? .main }

    var wantsProgress: Bool { progress != nil }

    /// Reports progress, in order and before the result.
    func report(_ progress: Progress) {
        guard let report = self.progress else { return }
        lastProgress.withLock { $0 = progress }
        resultQueue.async { report(ProgressResponse(progress: progress)) }
    }

    /// Makes the final progress call, with the response if there is one. The result must follow on the same queue.
    func reportEnd(_ result: Result<Response, MoyaError>) {
        progress?(ProgressResponse(progress: lastProgress.withLock { $0 }, response: try? result.get()))
    }

    /// Runs a function on the queue that was asked for; without one, here and now.
    func hopIfAsked(_ body: @escaping @Sendable () -> Void) {
        if let queue { queue.async(execute: body) } else { body() }
    }
}
