import Foundation
import NIOSSL

/// Server certificates for `localhost` with RSA keys that are too small, or with MD5 signatures.
///
/// The certificates are constants, because no Swift library creates such certificates. Their keys were generated for these tests only.
public enum WeakKeys {
    /// The roots that issued the certificates, in PEM.
    public static var roots: String { "\(rootCertificate)\n\(rootMD5)" }

    /// Returns the configuration of a server whose certificate is signed with MD5.
    public static func serverConfigurationWithMD5() throws -> TLSConfiguration {
        TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificateMD5.utf8)).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(rsa2048.utf8), format: .pem))
        )
    }

    /// Returns the configuration of a server with a key of 512 or 1024 bits.
    public static func serverConfiguration(bits: Int) throws -> TLSConfiguration {
        let (certificate, key) = bits == 512 ? (certificate512, key512) : (certificate1024, key1024)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
        )
        // A key of 512 bits is too small for the signatures of TLS 1.3.
        if bits == 512 { configuration.maximumTLSVersion = .tlsv12 }
        return configuration
    }

    /// An RSA key of 2048 bits, in PEM.
    static let rsa2048 = """
        -----BEGIN PRIVATE KEY-----
        MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQCdNHeKk9vkKC1v
        I6hTfUzHbxOzB85G1IG4PBqqtVwAsPmK4FUvyO+SvJZUivwQtL6LFGGiF7HEckuH
        F2KAztTPK2MNiEtGob3tIgaLbYcMOEfJ+OK+7u2Xsng5SJhRpDPPIh3Qt8KYLJ1F
        p19kDHUFplD3MyBMCu+eFvU+scrLHP2Mn1hkLws2zuVJ4vhNZtxpDjNcBhSXfJ1S
        oXlW8TPTs9BbFZF7fivVr1utcvrVd3itgCYRZ8XxEs9Hbfj7TtUJdey8+tkoUUba
        4deMshRChFx6c5v7Qhz6gYKewf+6v3mEMYlcUlFu6AKtYnRPSsC1Zza5w2YG7BEE
        NnI9iCN1AgMBAAECggEAAlcuY3QNnVFC0emKP0n5i2uaM7ttRQ0zbDqK3BlMqB76
        bCioZAh+FqVzqIkUNSx3vMreJENtjGL2QGnm98t8jCQVerVZh5Dvarkrt0Y3cUVi
        Pj3UJGsawvwvgYzU5bxH4DDeGEYwIcNiSQ/zoeH0mROvl2qds7wi8qvdVWRgxFLh
        b+9Bzi0k76K0KjXqLZOIohBu5YaOCUvccITsoQ93utcqkOv6GCT6ZdTb6jLLPPf1
        SQLmmv/qackOTz+DODkeuxs3pqBsLmU8RsKYDG4fuD1AYupzIf/Bqr7m96icWXjP
        Tz6CLmMbt6NUVTfo9RoVv2gAi+uXAn3CjwX+SpF4AQKBgQDWTHyKD6so86bq/BGx
        Zp9fdo8pYK0jzEkGgx/jRxrKx7n4bL+lz9hcnATVU/LMCvUNiBnzlwlpRhcFFvyV
        unY+Zwd569Wu0SsZlRWa0PAtQaHsOWHa9V+h3D5aix5DnsDqOOBGPyTjeJc1bRSQ
        34NfIlEXlniw6Bmrf3JbmrkoAQKBgQC7y8r7mug1OgCcNDddd4w0caizBQCCHa0A
        Pvr0lPYDsa9bar/pJW4tdpkUJC+4Q/9NT3WlWmuiVoLQ3YR7qCCvPLbLAvmIUFl9
        OozcgXe+5d5njWTo+ygo/4w770grESFQgobehoFsdF5SMNOlpa7jxi531i/mOfif
        bSPEobDbdQKBgHD7Mk23pQ2aJ86Lxug4qp2x7Bhsl9vfwEBmsVEqE74FPs7yxres
        tO1edE3kTIW24SuZLdV3M8cE5O4SCGkIPX744sAsziO0s3xxVUqiDX5OtAfO2QCP
        jTPQ4i7qWbJc6GiUQ+nFMLWcxlusfsNClAh8FzTQaCEcvSvlrW0OTcABAoGADpu5
        vHy+V3WdmokNTX4BMAsvXk2jTnvUe1Jq3x+/S2ZFB810BETfHzY8ji6Kb8EKWQ83
        TZeNC+HC51Bz/9KCSF9msMAYfRwS+gTV9Ek18WmcNV3wXZc79oR6eicQ7Bi3CLY+
        m4zHAJLEy4v0ysvqoNlHwBavPy9/QZeR0rfpNAkCgYAOelEiwPMLOCheNKi6ayGR
        jEa5VYUMK/oGp7e7cvYHtsTiKGPZH8aeV4gI/DejRVu/7fGDdEOu1Frd0SAAcK1A
        J9cRQthFxxhQK5ayoo4w8MVb/OGZKGAxw0aGk+1qdmaV0nqHqYHk18B5hq4ql7KH
        hXFEGzvc7JBuLWBcYl7FRA==
        -----END PRIVATE KEY-----
        """

    private static let rootCertificate = """
        -----BEGIN CERTIFICATE-----
        MIIBWjCCAQGgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlXZWFrIFJv
        b3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
        CVdlYWsgUm9vdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPMiGsxRkQGiBnQl
        7lypk5rQI131GjYy/QNTcKBvDFFDWw9esMfL+r8yUtFn2a1tLAQVPvOKUCKtNueU
        4NWew3ejQjBAMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMB0GA1Ud
        DgQWBBTLF/Omuqihb+ELNsz2vu0Iepie1jAKBggqhkjOPQQDAgNHADBEAiA0p47y
        LQY+801eEU7pk9a6+bz6gqzaXyGfLhZmjHutXgIgDzyslgPCeRr3ZRFL3XtM4Qqa
        ooMqL/2zLjajq7vBdLw=
        -----END CERTIFICATE-----
        """

    private static let certificate512 = """
        -----BEGIN CERTIFICATE-----
        MIIBbzCCARSgAwIBAgIBAjAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlXZWFrIFJv
        b3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMA4xDDAKBgNVBAMM
        A1JTQTBcMA0GCSqGSIb3DQEBAQUAA0sAMEgCQQCYs/u+2XItlSKldYAjMIfQ2N0O
        JGueFw3LpJDo7N/BQKB5jmeZvD7twB5G+8irR9CZpegFNp2boYFOPUg9B4BzAgMB
        AAGjWDBWMBQGA1UdEQQNMAuCCWxvY2FsaG9zdDAdBgNVHQ4EFgQU8tOxbeSB2DqO
        0WPhMGrDHk4drdMwHwYDVR0jBBgwFoAUyxfzprqooW/hCzbM9r7tCHqYntYwCgYI
        KoZIzj0EAwIDSQAwRgIhAOIGdARlQp8z0iTweoHrkv/jd/dIy0a2OiM02OWtiXe7
        AiEAnmFQSdWse2wi53txO/XbxNKVRAA47XQTMplsfP2qDYM=
        -----END CERTIFICATE-----
        """

    private static let key512 = """
        -----BEGIN RSA PRIVATE KEY-----
        MIIBPAIBAAJBAJiz+77Zci2VIqV1gCMwh9DY3Q4ka54XDcukkOjs38FAoHmOZ5m8
        Pu3AHkb7yKtH0Jml6AU2nZuhgU49SD0HgHMCAwEAAQJAfuhF9oy8yYlCLASFI7m3
        hihVPuWh0tcSDgaMsCf8pZwJm069TAl5TqNAuIlpM7bULKtwc3p5VVGoG4nSA+Hy
        AQIhAMd46Pj68UG+9F2+p/gJHotyZrL4zXMWY9mKDGmXEZbzAiEAw/ocgO20kBTq
        AWVgUZUQ/VFwAjT/STkX4MO4ob6n0IECIQCRPxidW9Ta49n6fP7AHJvSPH5Nqd+o
        AtC4Mc5yAJ+9QwIhAL1zvThaExKyVSFyWjGj1F++6XQIvb2QhufO7V7XS62BAiEA
        r5POkFJze5eU7uFfdmZETVQDSfgLr531LtOTvs2iJQA=
        -----END RSA PRIVATE KEY-----
        """

    private static let certificate1024 = """
        -----BEGIN CERTIFICATE-----
        MIIBsjCCAVigAwIBAgIBAzAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlXZWFrIFJv
        b3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMA4xDDAKBgNVBAMM
        A1JTQTCBnzANBgkqhkiG9w0BAQEFAAOBjQAwgYkCgYEA2MQvVR3+qRadWczpv+SA
        1MQ865LiGj6GutEdYmymogyQ2AAaRRzTpBMETTXvZ9olhT4Plweyy4IUSl4yQZIt
        bdr/4gQnsNlnhVitVPohSNTLm1ROUftGl0nP7eROFML0qTJEi8JyRQjrOfhVUBbU
        LroJ9ErHVwwmggOTnV79TgkCAwEAAaNYMFYwFAYDVR0RBA0wC4IJbG9jYWxob3N0
        MB0GA1UdDgQWBBTHg78PIgJkOovay0SfB1CjE54/0DAfBgNVHSMEGDAWgBTLF/Om
        uqihb+ELNsz2vu0Iepie1jAKBggqhkjOPQQDAgNIADBFAiEAkJY2rBAhRZ5aUPO6
        h45xdtmgqCSVLTiie92GSOwwZi8CIDOM3QGUrSh7Jfyo94WGfmd7G2csaUbL6NbA
        X1jR3zHu
        -----END CERTIFICATE-----
        """

    private static let key1024 = """
        -----BEGIN RSA PRIVATE KEY-----
        MIICXgIBAAKBgQDYxC9VHf6pFp1ZzOm/5IDUxDzrkuIaPoa60R1ibKaiDJDYABpF
        HNOkEwRNNe9n2iWFPg+XB7LLghRKXjJBki1t2v/iBCew2WeFWK1U+iFI1MubVE5R
        +0aXSc/t5E4UwvSpMkSLwnJFCOs5+FVQFtQuugn0SsdXDCaCA5OdXv1OCQIDAQAB
        AoGAVQfAOXdmqhWA6/UBzJBqKQxBiXc40mqslyPoju9n/jFHsDN6GppQOxBqo48A
        tpBQH5BUtT4D2OjR5MpGlIou3ywgim3ZmJTOa8HpYyDUIQ4VqSnw4JcrQ+NDyVao
        UKinXY9lq46B+UsSGiXNoea7E8scc/3goi1JtH/YXlLgqsECQQDykpA2sE9udXiK
        htwReIKQ/osk6JyOuuqtTFn5x4BTdYEQ/XWji4jjwXs4X/gMhbW3GoJVjgYgBhIQ
        ZVVfH8PNAkEA5MPtuI3mth5MNuWdkm4z5nKcwY9taEj3Emt5NFFfAt/tJrPWjBDC
        d9IF5AIsOLN2Hyx6BUUbFxtH+6gGpIpvLQJBAMjURSeyEyFdin4OJ1cjkd3fkG3v
        U+bro+30f63H2Vu/tirN3b6YgK4n+w9yjRg4/3hoLy4MFtAelogSjXri/qUCQQCT
        G+ui4p2aP6GDK+VIZNW7O7jSQAl7JnC7x6EJo8oVbypx2PP+3kgwBT8EgOEvFTjA
        kzlkaiwhj8maa1LaPKuBAkEAugJW32/Gtjoj9Vjgw8thVxZQVFv6tQROH3s2/lD9
        d0CDODBYdGK0uWImn0iaE5wAQjOWXJNyPJRRkq8Rzulb9g==
        -----END RSA PRIVATE KEY-----
        """

    private static let rootMD5 = """
        -----BEGIN CERTIFICATE-----
        MIIC5TCCAc2gAwIBAgIBBTANBgkqhkiG9w0BAQsFADATMREwDwYDVQQDDAhNRDUg
        Um9vdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowEzERMA8GA1UE
        AwwITUQ1IFJvb3QwggEiMA0GCSqGSIb3DQEBAQUAA4IBDwAwggEKAoIBAQCdNHeK
        k9vkKC1vI6hTfUzHbxOzB85G1IG4PBqqtVwAsPmK4FUvyO+SvJZUivwQtL6LFGGi
        F7HEckuHF2KAztTPK2MNiEtGob3tIgaLbYcMOEfJ+OK+7u2Xsng5SJhRpDPPIh3Q
        t8KYLJ1Fp19kDHUFplD3MyBMCu+eFvU+scrLHP2Mn1hkLws2zuVJ4vhNZtxpDjNc
        BhSXfJ1SoXlW8TPTs9BbFZF7fivVr1utcvrVd3itgCYRZ8XxEs9Hbfj7TtUJdey8
        +tkoUUba4deMshRChFx6c5v7Qhz6gYKewf+6v3mEMYlcUlFu6AKtYnRPSsC1Zza5
        w2YG7BEENnI9iCN1AgMBAAGjQjBAMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/
        BAQDAgIEMB0GA1UdDgQWBBT01s5j9lqSuZRBxhyLTIVFn9lfVTANBgkqhkiG9w0B
        AQsFAAOCAQEAGuSP0sYn470anWKO2nTYmz3Tw/8Kh0qH8BC/aDwUs9IpVoBlI44q
        5y0fVe6psDOh7+gPkXRLOXhjHjs30zlFV0GIRg2yOjrJ5ILV+yPvJ8h2XpGYV7Ch
        S+5u4Wn1Uj7CJpotzBqlmsFZLmwRfLYekv8LVPeXd22KH2PBzQx0AQjsVlu8z1d4
        sFzrm5ByI328tK+gHwtaaMz4Tw9mvfmP1LEY9A3Bd64VeU5lNfGteuNZtEGCRE+f
        NmRhjmJV45//jGhyV2T7fOPMlrZQFA1G1Zjl5qCzmfvmxII4ae5FVp6AwBAee18d
        9DElySnEuCIV1D1tZgq0gO8RbABaSYNnuA==
        -----END CERTIFICATE-----
        """

    private static let certificateMD5 = """
        -----BEGIN CERTIFICATE-----
        MIIC1TCCAb2gAwIBAgIBBjANBgkqhkiG9w0BAQQFADATMREwDwYDVQQDDAhNRDUg
        Um9vdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFowDjEMMAoGA1UE
        AwwDTUQ1MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAnTR3ipPb5Cgt
        byOoU31Mx28TswfORtSBuDwaqrVcALD5iuBVL8jvkryWVIr8ELS+ixRhohexxHJL
        hxdigM7UzytjDYhLRqG97SIGi22HDDhHyfjivu7tl7J4OUiYUaQzzyId0LfCmCyd
        RadfZAx1BaZQ9zMgTArvnhb1PrHKyxz9jJ9YZC8LNs7lSeL4TWbcaQ4zXAYUl3yd
        UqF5VvEz07PQWxWRe34r1a9brXL61Xd4rYAmEWfF8RLPR234+07VCXXsvPrZKFFG
        2uHXjLIUQoRcenOb+0Ic+oGCnsH/ur95hDGJXFJRbugCrWJ0T0rAtWc2ucNmBuwR
        BDZyPYgjdQIDAQABozcwNTAUBgNVHREEDTALgglsb2NhbGhvc3QwHQYDVR0OBBYE
        FPTWzmP2WpK5lEHGHItMhUWf2V9VMA0GCSqGSIb3DQEBBAUAA4IBAQAGyqAgGggr
        60XpLK5/gPKit2eWmfC2OJJm//Pg7NppuTsk+dnrNRXuUguKaIlUl6p+xxUDNDwm
        pkQEZ5VLJVSvOa+5i+nekVFQ4rUC2PjxWDz/kwP82We4vhLf4Cq7Fj71s7q7H66P
        MTIsVg6ayGVthq2Mo2cbzwXGT+eer9X3JYObTPdwIlagYBJPe+80LoQWRk4huqGh
        PvTvLeUGsZPdNOdtxN4DouyDmLR3d14NY9xFhPXc7T/+0gPUt2hRbWnhyhZwftel
        FPtsZA5ni2v1ARLCsY95g/I7al18++z30Jnq/7elgB58c+v2jcEXPcbqOb0aTDTw
        77MaC8PQwI09
        -----END CERTIFICATE-----
        """
}
