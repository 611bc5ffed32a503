// The files that need SwiftNIO have conditions. On Apple platforms, and without the trait `NIO`, the module consists of the others.
@_exported import MoyaHTTPTransportCore
