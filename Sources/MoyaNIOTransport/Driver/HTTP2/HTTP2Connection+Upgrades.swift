#if NIO && !canImport(Darwin)
import HTTPTypes
import NIOCore

// Upgrades to other protocols on streams, by extended CONNECT (RFC 8441).
extension HTTP2Connection {
    // MARK: Requests

    /// Fails a request for an upgrade that the server does not allow, or lets it wait until the server's settings show whether it does.
    func refuseUpgradeOrWait(_ request: OutboundRequest) {
        guard machine.allowsUpgrades != nil else { return requestsAwaitingSettings.append(request) }
        // Before the caller continues: for its next request, the pool must know the refusal.
        report(.upgradeRefused)
        report(.streamUnopened)
        failExchange(request.exchange, UpgradeNotAllowed())
    }

    /// Opens the streams of the requests that have waited for the server's settings, or fails them.
    func runRequestsAwaitingSettings() {
        let requests = requestsAwaitingSettings
        requestsAwaitingSettings = []
        for request in requests {
            if machine.allowsUpgrades != true {
                refuseUpgradeOrWait(request)
            } else if machine.canOpenStream {
                open(request, at: .now())
            } else {
                report(.returned(request))
            }
        }
    }

    /// Fails the requests that wait for the server's settings, because the connection has ended.
    func failRequestsAwaitingSettings(because error: (any Error)?) {
        let requests = requestsAwaitingSettings
        requestsAwaitingSettings = []
        for request in requests {
            failExchange(request.exchange, connectionLost(error, hasResponse: false, isReused: false))
        }
    }

    // MARK: Streams

    /// Begins the other protocol on a stream: sends the output of the upgrade.
    func beginUpgrade(of stream: RunningStream) {
        guard let upgrade = stream.request.message.upgrade else { return }
        stream.isUpgraded = true
        report(.streamUpgraded)
        do throws(RequestBodyError) {
            startUpload(of: try upgrade.output.open(), on: stream)
        } catch {
            stream.exchange.bodyFailed(error)
        }
    }
}
#endif
