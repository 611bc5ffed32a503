import MoyaHTTP

/// Lets URLSession send requests on Linux; TestEnvironment calls it before the tests.
///
/// Servers can end the process through URLSession on Linux. The tests' servers are known, and no test runs a server that does so.
@_cdecl("moyaAcceptTermination")
public func acceptTermination() {
    URLSessionTransport.acceptsTermination = true
}
