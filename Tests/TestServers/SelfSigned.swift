import NIOSSL

/// TLS for `localhost` with a self-signed certificate, whose key was generated for these tests only.
public enum SelfSigned {
    /// Returns the configuration of a server.
    public static func serverConfiguration() throws -> TLSConfiguration {
        .makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
        )
    }

    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBmzCCAUGgAwIBAgIUM18+hKEGD+O7Nd5WZdI9KxYpwYIwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTIwMzkyN1oYDzIxMjYxMDI4
        MjAzOTI3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAATCETBeTIm6V21ktRgfcE2UoVD3g+FNisHWTtdoWPo6j24hpPHUzqu/
        sVPbYlXMZo+4FfIcpja9oKtuUIK6vsCxo28wbTAdBgNVHQ4EFgQUl6r3ao/BlxAp
        k/M9L8kINwCLx2MwHwYDVR0jBBgwFoAUl6r3ao/BlxApk/M9L8kINwCLx2MwDwYD
        VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
        zj0EAwIDSAAwRQIgDY1RWFxPOXdk5dCQ9E1z7bV/5SOFcyhUctAH4+lRousCIQDU
        KeNvM+RMRyyvsOG30tmb8SjaFJPHaGgGDb2MJ5VF5A==
        -----END CERTIFICATE-----
        """

    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgEVtF5dNhkMWoJpPp
        AmXDOfUC6QxtJPtCZd32PhtyjhmhRANCAATCETBeTIm6V21ktRgfcE2UoVD3g+FN
        isHWTtdoWPo6j24hpPHUzqu/sVPbYlXMZo+4FfIcpja9oKtuUIK6vsCx
        -----END PRIVATE KEY-----
        """
}
