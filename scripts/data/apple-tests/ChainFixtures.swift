import Foundation
import MoyaHTTP

/// The certificate of a server for `api.example.com`, and the root certificate of its issuer.
enum ChainFixtures {
    static let server = """
        -----BEGIN CERTIFICATE-----
        MIIBrDCCAVGgAwIBAgIUcFjT4tuc5XT4Q6Hueh8LcYu83s0wCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEUm9vdDAgFw0yNjExMjYwMTI0NDRaGA8yMTI2MTEwMjAxMjQ0
        NFowGjEYMBYGA1UEAwwPYXBpLmV4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZI
        zj0DAQcDQgAEynTVb8fuBpkYHBgSTvYpgKdcQWILtC6nBJmzKetqija9CL/vh7Be
        iTyAMOHkCfDthSH0QoVELzfIOvn1dMJWXaN+MHwwGgYDVR0RBBMwEYIPYXBpLmV4
        YW1wbGUuY29tMAkGA1UdEwQCMAAwEwYDVR0lBAwwCgYIKwYBBQUHAwEwHQYDVR0O
        BBYEFExmouiW3bo3FLHfSwY6batuVptbMB8GA1UdIwQYMBaAFG9U6ANLA9ykQzIC
        xRbOsM+cIbFsMAoGCCqGSM49BAMCA0kAMEYCIQCZAcjqYQ2iPrrLnTI00INtHJ48
        f28M28wm4bwu3MSkZgIhAJgNF/CbpJxCZb0f/dBUtmP16eE4fxmJNeo0aG8AJAAa
        -----END CERTIFICATE-----
        """

    static let root = """
        -----BEGIN CERTIFICATE-----
        MIIBdjCCARugAwIBAgIUVmkc/lflGUQmM+PdQZOa/Ct/0jQwCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEUm9vdDAgFw0yNjExMjYwMTI0NDNaGA8yMTI2MTEwMjAxMjQ0
        M1owDzENMAsGA1UEAwwEUm9vdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABG8l
        g3DyVyTplVfmF9/Ah+epNmoovDUM00+yxZxVpoOIz3l/oGs7K3G4pWR4uG7VqA+k
        Ic9Srl3jvrCPJbrDgOGjUzBRMB0GA1UdDgQWBBRvVOgDSwPcpEMyAsUWzrDPnCGx
        bDAfBgNVHSMEGDAWgBRvVOgDSwPcpEMyAsUWzrDPnCGxbDAPBgNVHRMBAf8EBTAD
        AQH/MAoGCCqGSM49BAMCA0kAMEYCIQDTtqPUWV6I1HKuKTTtmpNCwGs4f+DQtHIu
        rbYXa3fQBwIhAM8CrcQvpsZR7BA4X0hPd6miCntGbHbBcRJePyRguSRA
        -----END CERTIFICATE-----
        """

    /// Returns the single certificate of a PEM text.
    static func certificate(_ pem: String) throws -> Certificate { try Certificate.certificates(pem: pem)[0] }
}
