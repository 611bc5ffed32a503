// The requests and responses of Foundation are in a module that exists on Linux only. Whoever imports this module sees it, and needs no
// condition.
#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif
