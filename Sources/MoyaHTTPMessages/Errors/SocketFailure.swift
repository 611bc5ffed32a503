import Foundation

/// A failure of a socket that a system reports by an error number.
///
/// The failures have names because the numbers differ between systems.
package enum SocketFailure: CaseIterable, Sendable {
    case noSuchFile
    case processHasTooManyFiles
    case systemHasTooManyFiles
    case brokenPipe
    case addressNotAvailable
    case networkDown
    case networkUnreachable
    case networkReset
    case connectionAborted
    case connectionReset
    case notConnected
    case shutDown
    case timedOut
    case connectionRefused
    case hostDown
    case hostUnreachable
    case cancelled

    /// The number on this system.
    private var number: CInt {
        switch self {
        case .noSuchFile: ENOENT
        case .processHasTooManyFiles: EMFILE
        case .systemHasTooManyFiles: ENFILE
        case .brokenPipe: EPIPE
        case .addressNotAvailable: EADDRNOTAVAIL
        case .networkDown: ENETDOWN
        case .networkUnreachable: ENETUNREACH
        case .networkReset: ENETRESET
        case .connectionAborted: ECONNABORTED
        case .connectionReset: ECONNRESET
        case .notConnected: ENOTCONN
        case .shutDown: ESHUTDOWN
        case .timedOut: ETIMEDOUT
        case .connectionRefused: ECONNREFUSED
        case .hostDown: EHOSTDOWN
        case .hostUnreachable: EHOSTUNREACH
        case .cancelled: ECANCELED
        }
    }

    /// The failures by their numbers on Apple's platforms (`sys/errno.h` of Darwin), for tests on other systems.
    private static let numbersOnDarwin: [Int: SocketFailure] = [
        2: .noSuchFile, 23: .systemHasTooManyFiles, 24: .processHasTooManyFiles, 32: .brokenPipe,
        49: .addressNotAvailable,
        50: .networkDown, 51: .networkUnreachable, 52: .networkReset, 53: .connectionAborted, 54: .connectionReset,
        57: .notConnected, 58: .shutDown, 60: .timedOut, 61: .connectionRefused, 64: .hostDown, 65: .hostUnreachable,
        89: .cancelled,
    ]

    private static let numbersHere = Dictionary(uniqueKeysWithValues: allCases.map { ($0.number, $0) })

    /// Creates the failure with a number on this system; `nil` if the number is not a failure of a connection.
    package init?(errno number: CInt) {
        guard let failure = Self.numbersHere[number] else { return nil }
        self = failure
    }

    /// Creates the failure with a number on Apple's platforms; `nil` if the number is not a failure of a connection.
    package init?(numberOnDarwin number: Int) {
        guard let failure = Self.numbersOnDarwin[number] else { return nil }
        self = failure
    }

    /// The code that URLSession uses for the failure.
    package var urlErrorCode: URLError.Code {
        switch self {
        case .connectionRefused, .hostUnreachable, .hostDown, .addressNotAvailable, .noSuchFile,
            .processHasTooManyFiles,
            .systemHasTooManyFiles:
            .cannotConnectToHost
        case .networkUnreachable, .networkDown: .notConnectedToInternet
        case .timedOut: .timedOut
        case .connectionReset, .brokenPipe, .connectionAborted, .notConnected, .networkReset, .shutDown:
            .networkConnectionLost
        case .cancelled: .cancelled
        }
    }
}
