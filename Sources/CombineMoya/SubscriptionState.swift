/// The state machine of one subscription.
///
/// It starts one request at the first demand, emits no more values than demanded, and ends once. It is independent
/// of locks and subscribers: each event returns the action to perform.
struct SubscriptionState<Value, Failure: Error> {
    enum Action {
        case nothing
        /// Start the request.
        case start
        /// Call ``next()`` on the queue of values.
        case resume
        /// Deliver the value, then call ``finishEmitting(wanting:)``.
        case emit(Value)
        /// Deliver the completion; the last action.
        case finish
        /// Deliver the failure; the last action.
        case fail(Failure)
        /// Cancel the request.
        case cancel
    }

    private enum Phase {
        case idle, running, ended, cancelled
    }

    private var phase = Phase.idle
    /// The demand; `nil` for unlimited.
    private var wanted: Int? = 0
    /// The buffered value; newer values replace older ones.
    private var latest: Value?
    private var ending: Result<Void, Failure>?
    /// Whether a value is being delivered; the delivering thread also handles events that arrive meanwhile.
    private var isEmitting = false

    /// Adds demand.
    ///
    /// - Parameter count: The number of values; `nil` for unlimited.
    /// - Returns: The action to perform.
    mutating func addDemand(_ count: Int?) -> Action {
        add(demand: count)
        switch phase {
        case .idle where wanted != 0:
            phase = .running
            return .start
        case .running where latest != nil && wanted != 0 && !isEmitting:
            return .resume
        default:
            return .nothing
        }
    }

    /// Records that the request was started; it may have ended since.
    mutating func recordStart() -> Action { phase == .cancelled ? .cancel : .nothing }

    /// Handles a value, which replaces a buffered one.
    mutating func receive(_ value: Value) -> Action {
        guard phase == .running, ending == nil else { return .nothing }
        latest = value
        return next()
    }

    /// Handles the final value.
    mutating func receive(last value: Value) -> Action {
        guard phase == .running, ending == nil else { return .nothing }
        latest = value
        ending = .success(())
        return next()
    }

    /// Handles a failure, which needs no demand.
    mutating func fail(with failure: Failure) -> Action {
        guard phase == .running, ending == nil else { return .nothing }
        ending = .failure(failure)
        return next()
    }

    /// Returns the next action.
    mutating func next() -> Action {
        guard phase == .running, !isEmitting else { return .nothing }
        if let value = latest, wanted != 0 {
            wanted = wanted.map { $0 - 1 }
            latest = nil
            isEmitting = true
            return .emit(value)
        }
        switch ending {
        case .success where latest == nil:
            phase = .ended
            return .finish
        case .failure(let failure):
            phase = .ended
            return .fail(failure)
        case .success, nil:
            return .nothing
        }
    }

    /// Records that a value was delivered.
    ///
    /// - Parameter count: The additional demand; `nil` for unlimited.
    /// - Returns: The action to perform.
    mutating func finishEmitting(wanting count: Int?) -> Action {
        isEmitting = false
        add(demand: count)
        return next()
    }

    /// Handles a cancellation.
    mutating func cancel() -> Action {
        defer { if phase != .ended { phase = .cancelled } }
        latest = nil
        return phase == .running ? .cancel : .nothing
    }

    private mutating func add(demand count: Int?) {
        guard let already = wanted, let count else {
            wanted = nil
            return
        }
        let (sum, isTooMuch) = already.addingReportingOverflow(max(0, count))
        wanted = isTooMuch ? nil : sum
    }
}

extension SubscriptionState: Sendable where Value: Sendable {}
extension SubscriptionState.Action: Sendable where Value: Sendable {}
extension SubscriptionState.Action: Equatable where Value: Equatable, Failure: Equatable {}
