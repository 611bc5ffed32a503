import Foundation

/// A self-signed certificate and its key, which were generated for these tests only.
enum PKCS12 {
    /// The passphrase of the archive and of the key.
    static let passphrase = "open-sesame"

    /// The certificate and the key (RFC 7292).
    static let archive = Data(base64Encoded: archiveText, options: .ignoreUnknownCharacters) ?? Data()

    /// The key alone, in PEM.
    static let encryptedKey = Data(
        """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-256-CBC,D39737D73B5A303160C4D7E8848AEA8C

        Ys5XCfTY4ouoo7xFiTTjRYUoxvsACy7gwDZz5n8EIpItA3gVYfsD6RLtN0vCmZoR
        iTOR6mm8XV5+wcpuZx1yXyAtd34251uQQwVnEdwN5SRAoNn54aly/d68N8rcMxu7
        J6SwCwOoe9dVajEB48XnYzseDxRvBhTLnLLvm0x9EqQ=
        -----END EC PRIVATE KEY-----
        """.utf8
    )

    /// The certificate.
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBeTCCAR+gAwIBAgIUHJLv+MNnQqSaM1YKalI4YfieBHUwCgYIKoZIzj0EAwIw
        ETEPMA0GA1UEAwwGY2xpZW50MCAXDTI2MTEyMjAzMDM0MloYDzIxMjYxMDI5MDMw
        MzQyWjARMQ8wDQYDVQQDDAZjbGllbnQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
        AARL7FG03fzDSjm/HAShf0WEkdjZq8RBSxNfZYrdluAlkSVvDg3xE4yGbUu6Wpox
        mAR7e5noS2IxZCfho5TJiFc/o1MwUTAdBgNVHQ4EFgQUs82ABojxC8Sphvd2KnCT
        n5pKJyAwHwYDVR0jBBgwFoAUs82ABojxC8Sphvd2KnCTn5pKJyAwDwYDVR0TAQH/
        BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAZQ9IV5c0MANotxH4RdahYtLK4JkWk
        e+bqHx+Nu78YjwIhALZc7puQ+2DyHGlgz5OIAMrQj7KTvuUmOFTYxJofsgDc
        -----END CERTIFICATE-----
        """

    private static let archiveText = """
        MIIEDAIBAzCCA8IGCSqGSIb3DQEHAaCCA7MEggOvMIIDqzCCAmIGCSqGSIb3DQEHBqCCAlMwggJPAgEAMIICSAYJKoZIhvcNAQcB
        MFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAh/C3v4M74AOgICCAAwDAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEHzK
        N+dPeb/PyH6TsqmiOsCAggHgjfoL0uI3N/ZMtd9j30c4dGpgsM7GkMwCiGaZvE3KYiSTlXYm04wp2Sg0JGSle/fsKhO0ceLUpPHl
        10d9A0FecRXHnShJXzP+xhHYnxedcfBUgLjL8hVm34dTO9wwbC0IMosD3cAHKc3bw0emwZJtpMTDYs1mcU2FS2Mjf7F7csr4IcPc
        QXrLJcUyiY62w4BW601NChZVxMJdi3uDfqPronccPjVQGrWf7euqydzwKo68A5P4fCO0LCcmwOUcHQj/sBO9dGdDbiM12yruUeN/
        gIZcCyTljxERbA/EpsSUdyBtzARaYTA7xXXcDVhi5NYdqNWFOOqSwlwsjosyYciHppZoLn343nj+1r6juMD3Cs9z5lAFeTjcrFHs
        VRkyCrU/IN3K2W16KGMzBy09VbzTwvW+OCiggqHFq8QijYsEh/2TBZAjUcPBvyZiLT9SmNEbLhGtDPmmPtoqP1qR3Zf/jPaNFz9/
        mbbzWlxGF6bY+nCeZ+YUNh/W8MR635EyPq7egWoSYlFdFCRYTWzjW97Hg2FBGSSMq1pv1RfhPKSl53JKDW3OW5iI4KXIZMX2FvdG
        NcJaFPPQsssjVz71TGD043jEdHXA4qRiqAwP/H3/B5Z0yBQLcKZikravx+2MMki1MIIBQQYJKoZIhvcNAQcBoIIBMgSCAS4wggEq
        MIIBJgYLKoZIhvcNAQwKAQKgge8wgewwVwYJKoZIhvcNAQUNMEowKQYJKoZIhvcNAQUMMBwECAfjEqoF2Xp5AgIIADAMBggqhkiG
        9w0CCQUAMB0GCWCGSAFlAwQBKgQQ5AcbFa/DZIunq96thPMZ5gSBkGXM7UVSwI0SFNsUZ6n7ZjmX3fFKLE6vyv/uz4bb6NTmWPRF
        hObIelNVp+JVHXkK//8H4KKp1/yJCJfKLKBThAt3v8KxeH0SU2wcWBocL51sNZKNDicMgcswX+lJy/LrUBoHmBGf6YAiDWvSOLH+
        5tNvHuDU0+atH48856BhDEwluTJt1GVSDXmxXcy6TFIOwjElMCMGCSqGSIb3DQEJFTEWBBQnXuD5LB2io3p6x3mAwyzXgEHgjzBB
        MDEwDQYJYIZIAWUDBAIBBQAEILFXx2gQWfcAt5AuWm45wOo6fbwJB0gOfFkL9sxxQAb+BAhRrtnHxwcG+gICCAA=
        """
}
