import MoyaHTTP

/// Lets URLSession send requests on Linux; TestEnvironment calls it before the tests.
///
/// The servers of the tests are known, and tests with servers that would end the process are not run.
@_cdecl("moyaAcceptTermination")
public func acceptTermination() {
    URLSessionTransport.acceptsTermination = true
}
