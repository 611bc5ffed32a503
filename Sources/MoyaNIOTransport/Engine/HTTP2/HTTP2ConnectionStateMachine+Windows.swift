#if NIO && !canImport(Darwin)
    import NIOCore
    import NIOHPACK

    // The send windows and the settings of the server (RFC 9113, sections 6.5 and 6.9).
    extension HTTP2ConnectionStateMachine {
        mutating func receivedWindowUpdate(_ id: StreamID, _ increment: UInt32) throws(HTTP2Error) -> Event {
            if id == 0 {
                guard increment > 0 else { throw .connection(.protocolError, "A window is enlarged by 0.") }
                sendWindow += Int(increment)
                guard sendWindow <= Self.maximumWindow else {
                    throw .connection(.flowControlError, "The connection's window is larger than allowed.")
                }
                return .windowGrown(nil)
            }
            try checkIsNotIdle(id, "WINDOW_UPDATE")
            guard var stream = streams[id] else { return try ignore() }
            guard increment > 0 else { return fail(id, .stream(.protocolError, "A window is enlarged by 0.")) }
            stream.sendWindow += Int(increment)
            guard stream.sendWindow <= Self.maximumWindow else {
                return fail(id, .stream(.flowControlError, "The stream's window is larger than allowed."))
            }
            streams[id] = stream
            return .windowGrown(id)
        }

        mutating func apply(_ settings: [HTTP2Setting]) throws(HTTP2Error) {
            hasSettings = true
            for setting in settings {
                switch HTTP2Setting.Identifier(rawValue: setting.identifier) {
                case .headerTableSize:
                    let size = min(Int(setting.value), HPACKEncoder.defaultDynamicTableSize)
                    do {
                        try encoder.setDynamicTableSize(size)
                    } catch {
                        throw .connection(.internalError, "The table of header fields cannot be resized.")
                    }
                case .enablePush:
                    guard setting.value == 0 else {
                        throw .connection(.protocolError, "A server must not enable push.")
                    }
                case .maximumConcurrentStreams:
                    maximumStreams = setting.value
                case .initialWindowSize:
                    try changeInitialWindow(to: setting.value)
                case .maximumFrameSize:
                    guard (16_384...16_777_215).contains(setting.value) else {
                        throw .connection(.protocolError, "The maximum frame size is invalid.")
                    }
                    // Longer frames would block other streams, with almost no benefit.
                    maximumPayload = min(Int(setting.value), HTTP2FrameReader.maximumPayload)
                case .maximumHeaderListSize:
                    maximumHeaderList = Int(setting.value)
                case nil:
                    break
                }
            }
            output.writeHTTP2SettingsAcknowledgment()
            try countAcknowledgment()
        }

        /// Changes the initial window (RFC 9113, section 6.9.2).
        ///
        /// Windows may become negative.
        private mutating func changeInitialWindow(to size: UInt32) throws(HTTP2Error) {
            guard size <= Self.maximumWindow else {
                throw .connection(.flowControlError, "The initial window is larger than allowed.")
            }
            let difference = Int(size) - initialSendWindow
            initialSendWindow = Int(size)
            for id in streams.keys {
                guard let window = streams[id]?.sendWindow else { continue }
                guard window + difference <= Self.maximumWindow else {
                    throw .connection(.flowControlError, "The initial window makes a stream's window too large.")
                }
                streams[id]?.sendWindow = window + difference
            }
        }
    }
#endif
