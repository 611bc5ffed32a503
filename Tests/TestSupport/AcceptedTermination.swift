import MoyaHTTP

/// Lets URLSession send requests on Linux: called by TestEnvironment before the tests.
///
/// The servers of the tests are known, and those that would end the process are left out.
@_cdecl("moyaAcceptTermination")
public func acceptTermination() {
    URLSessionTransport.acceptsTermination = true
}
