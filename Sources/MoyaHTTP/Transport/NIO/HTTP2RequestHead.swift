#if NIO && !canImport(Darwin)
    import HTTPTypes
    import NIOHPACK

    extension HPACKHeaders {
        /// Creates the header section of a request (RFC 9113, section 8.3.1).
        ///
        /// Connection-specific fields of HTTP/1.1 are omitted (section 8.2.2). Secrets, and values that differ each
        /// time, are not added to the compression table (RFC 7541, section 7.1).
        init(_ request: OutboundRequest) {
            self.init()
            reserveCapacity(request.headers.count + 5)
            add(name: ":method", value: request.method)
            add(name: ":scheme", value: "https")
            add(name: ":authority", value: request.authority)
            add(name: ":path", value: request.target, indexing: .nonIndexable)
            for field in request.headers {
                let name = field.name.canonicalName
                switch name {
                case "connection", "proxy-connection", "keep-alive", "transfer-encoding", "upgrade", "http2-settings",
                    "host":
                    continue
                case "te":
                    // The only value that is allowed.
                    if field.value.lowercased() == "trailers" { add(name: name, value: "trailers") }
                case "authorization", "proxy-authorization", "cookie":
                    add(name: name, value: field.value, indexing: .neverIndexed)
                default:
                    add(name: name, value: field.value)
                }
            }
            if case .length(let length) = request.framing {
                add(name: "content-length", value: String(length), indexing: .nonIndexable)
            }
        }

        /// The size as SETTINGS_MAX_HEADER_LIST_SIZE defines it (RFC 9113, section 6.5.2).
        var listSize: Int { reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 } }
    }
#endif
