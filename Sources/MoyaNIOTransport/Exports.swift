// The other files have conditions: on Apple platforms, and without the trait `NIO`, the module has only this line.
@_exported import MoyaHTTPTransportCore
