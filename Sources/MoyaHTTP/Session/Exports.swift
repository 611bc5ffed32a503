// An importer of this module sees the modules below it, except MoyaJSON and MoyaLocks.
@_exported import MoyaHTTPCookies
@_exported import MoyaHTTPFields
@_exported import MoyaHTTPMessages
@_exported import MoyaHTTPTransportCore
@_exported import MoyaSecretMasking
@_exported import MoyaURLSessionTransport
@_exported import MoyaWebSockets

#if NIO && !canImport(Darwin)
@_exported import MoyaNIOTransport
#endif
