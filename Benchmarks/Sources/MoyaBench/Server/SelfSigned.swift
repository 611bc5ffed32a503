import NIOSSL

/// Configures TLS for `localhost` with a self-signed certificate, whose key was generated for this program only.
enum SelfSigned {
    /// Returns the configuration of the server.
    static func serverConfiguration() throws -> TLSConfiguration {
        .makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
        )
    }

    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBmzCCAUGgAwIBAgIUYDQwt8g0cIY06cLpbnWFJKVvhcMwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjA5MDg0NVoYDzIxMjYxMDI5
        MDkwODQ1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAAS4F5GAALF7nv3TmDd+nxVijeVkl3AH2iElV0TxeIBQuh2DzAB63+RA
        3RAYtPn1i+tSAPMAsLLtx7py5fVB5U7Ko28wbTAdBgNVHQ4EFgQUakKWgzTiJz/U
        YBPYqp/MQBVykawwHwYDVR0jBBgwFoAUakKWgzTiJz/UYBPYqp/MQBVykawwDwYD
        VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
        zj0EAwIDSAAwRQIhANOE622Jl5Jm3drVnA/lfTmUWjJ5+NsxOmxIGcuu78k0AiBp
        l7IWGdAa5PYvbb5Vh0/HeMFUQATGK7jBiDdAyMy0Yw==
        -----END CERTIFICATE-----
        """

    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgdrywdnubkt/dCrNj
        sCpsCO6EySnJ/6ipJN3J994jl1yhRANCAAS4F5GAALF7nv3TmDd+nxVijeVkl3AH
        2iElV0TxeIBQuh2DzAB63+RA3RAYtPn1i+tSAPMAsLLtx7py5fVB5U7K
        -----END PRIVATE KEY-----
        """
}
