#if NIO && !canImport(Darwin)
    import NIOHPACK

    // The settings of the server (RFC 9113, section 6.5).
    extension HTTP2ConnectionStateMachine {
        mutating func apply(_ settings: [HTTP2Setting]) throws(HTTP2Error) {
            hasSettings = true
            var initialWindow: UInt32?
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
                    guard setting.value <= Self.maximumWindow else {
                        throw .connection(.flowControlError, "The initial window is larger than allowed.")
                    }
                    initialWindow = setting.value
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
            // Once for each frame, because all streams are visited.
            if let initialWindow { try changeInitialWindow(to: Int(initialWindow)) }
            output.writeHTTP2SettingsAcknowledgment()
            try countAcknowledgment()
        }

        /// Changes the initial window (RFC 9113, section 6.9.2).
        ///
        /// Windows may become negative.
        private mutating func changeInitialWindow(to size: Int) throws(HTTP2Error) {
            let difference = size - initialSendWindow
            initialSendWindow = size
            for id in openStreams.keys {
                guard let window = openStreams[id]?.sendWindow else { continue }
                guard window + difference <= Self.maximumWindow else {
                    throw .connection(.flowControlError, "The initial window makes a stream's window too large.")
                }
                openStreams[id]?.sendWindow = window + difference
            }
        }
    }
#endif
