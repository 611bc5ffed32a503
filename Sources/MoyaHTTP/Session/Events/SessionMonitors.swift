/// The event monitors of a session, and the detail that they and the session need.
struct SessionMonitors: Sendable {
    private let monitors: [any EventMonitor]
    /// The monitors that also get the phases of exchanges.
    private let phaseMonitors: [any EventMonitor]
    /// Whether the monitors or the session need the metrics of each request.
    let needMetrics: Bool
    /// The highest detail of the monitors.
    let detail: RequestEvent.Detail

    /// Groups the monitors of a session, which may need metrics itself.
    init(_ monitors: [any EventMonitor], collectsMetrics: Bool) {
        let details = monitors.map { (monitor: $0, detail: $0.detail) }
        self.monitors = monitors
        phaseMonitors = details.filter { $0.detail == .phases }.map(\.monitor)
        detail = details.map(\.detail).max() ?? .standard
        needMetrics = collectsMetrics || detail >= .metrics
    }

    /// Whether there are no monitors.
    var areEmpty: Bool { monitors.isEmpty }

    /// Whether the session reports no events, and needs no metrics.
    var areUnused: Bool { monitors.isEmpty && !needMetrics }

    /// Returns whether a monitor receives events of this kind.
    func receive(_ kind: RequestEvent.Kind) -> Bool { !(kind.isPhase ? phaseMonitors : monitors).isEmpty }

    /// Passes an event to the monitors that receive it.
    func record(_ event: RequestEvent) {
        for monitor in event.kind.isPhase ? phaseMonitors : monitors { monitor.record(event) }
    }
}
