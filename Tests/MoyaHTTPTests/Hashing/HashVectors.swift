import Testing

/// Hashes computed by Python's hashlib (OpenSSL) for lengths around the ends of blocks.
struct HashVector: CustomTestStringConvertible {
    let length: Int
    let md5: String
    let sha256: String
    let sha512256: String

    /// Byte i is 7 i + length, modulo 256.
    var input: [UInt8] { (0..<length).map { UInt8(truncatingIfNeeded: 7 &* $0 &+ length) } }

    var testDescription: String { "\(length) bytes" }
}

let hashVectors = [
    HashVector(
        length: 0,
        md5: "d41d8cd98f00b204e9800998ecf8427e",
        sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        sha512256: "c672b8d1ef56ed28ab87c3622c5114069bdd3ad7b8f9737498d0c01ecef0967a"
    ),
    HashVector(
        length: 1,
        md5: "55a54008ad1ba589aa210d2629c1df41",
        sha256: "4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a",
        sha512256: "2a8b71c345fac6e44dca4f7a762a560c3bdd7fa3001e84507c946a7d8fd46ee7"
    ),
    HashVector(
        length: 2,
        md5: "f44d7fab86866af3bc1ed8af69d7a87d",
        sha256: "4b2871da34670fde248604e0f18fd3e4f7e1e6dfddb85875ce4813a6612953bb",
        sha512256: "351e32d12dc784dd5d00d242d938ae184ec4e3d9f19c3beb83b8b42bffca705f"
    ),
    HashVector(
        length: 3,
        md5: "c9aee4810523ef8658121b8d492c6b41",
        sha256: "6ab0dba1f4f1dfbb37b4f9eeb092c09fca4900ad32bdcd147d8dde35d6c87c35",
        sha512256: "3ebca6ae309ae6ee4154c7500c1773319fad8db1beeabcfb0f33b9544db51069"
    ),
    HashVector(
        length: 7,
        md5: "adf5384dcda0e6fe7da8c78e48eaaf6d",
        sha256: "ea329d80a200b1286da016c04c276e9fcebeee29524620ebd43de9e176758a8b",
        sha512256: "566481841198b9d9ef1c906044267a03315559c476195b6fe579b4377b946e47"
    ),
    HashVector(
        length: 55,
        md5: "f1289732253518750e22b62a571a1748",
        sha256: "81afe5b788dc2ce138ff83d9b20164db75a94d75d2b2432eea4a0ef605088c72",
        sha512256: "816a6e2fc440f86cf0390369da3ac360a36237a40c62f3a09156282b6b301b58"
    ),
    HashVector(
        length: 56,
        md5: "179e3b9fa272a23e2a8b32bde1015414",
        sha256: "2aba54f0ac632420a2b502431408866e40e1d5e430df4cd822642c78ab2eb9c1",
        sha512256: "d8116ee78943b0fb4639f8ead654a326dee2571a921ef4713a711d5551ffea12"
    ),
    HashVector(
        length: 57,
        md5: "d5f0a59aa9d6d8164d3754fb91f67809",
        sha256: "903284efbf9100e8ba1614ec65eacacad125e03f857cae7acbf8b73b23e0fdfe",
        sha512256: "27849661639d409bb3225e8c75425efbbf6f02e7922ce591b4cba332793aaf7e"
    ),
    HashVector(
        length: 63,
        md5: "dd785945d1d6b87eca0d276dbb8756fd",
        sha256: "733d3d4ee79ee67145bf73da13588f6f235d37414fc64b14a2f00f1762792f5e",
        sha512256: "8ee95b4223a6a3000a08ef2fce7b9a8f977f73c1dc7f2801cb069fba38b1ed0c"
    ),
    HashVector(
        length: 64,
        md5: "e3ab394ce4eb7da020a27d2e2443143c",
        sha256: "79322907b3e9d013d7dc2c2f256674dbf733045cde01df3539271c6f5605feb8",
        sha512256: "a195bc45e3d011ce1a0f8223fa1df1e7365ce1280a1dcd80f546e5e76013ddf5"
    ),
    HashVector(
        length: 65,
        md5: "28a6b0f918d9aea03e979a1657d8d0f6",
        sha256: "d85c007c6eb440f085afa2b84f6f2bce4658b240e9f62cb1364bf0485a57e720",
        sha512256: "c6171da2f4a138049ce229e6244243bc628d7621aa65beb510d0152da0a27845"
    ),
    HashVector(
        length: 111,
        md5: "d54c1b85b05a0800af2c6d01394f0421",
        sha256: "b41ae5233b9ec35d8576a032034d2857b667a618c7038714d727d4dae3aa2525",
        sha512256: "86cd5320f5792906a1304af8ece50986782be56e57727239ac3c2827d03a22e9"
    ),
    HashVector(
        length: 112,
        md5: "80ddd4569b593235048eb5e2cdc38c8d",
        sha256: "0949563bc78e5ccd85603fa20368a33ed3d2da0141c8284a3b1515fe4683cdd7",
        sha512256: "3ca6f01d248bb2a6a2c13dff32318654e0b0fbd20e21ebc6f44df93e384d3b22"
    ),
    HashVector(
        length: 113,
        md5: "e67d4fad620e75e8a485cb3a83abaf7f",
        sha256: "797b138819c4658ac5a0117ffe7d88f2b1f2943217dde961bfd364f1fd102a8c",
        sha512256: "1556aa929125bfeb7859206cecfeb178c8bd65c99ba52f551e2c41c6969ae530"
    ),
    HashVector(
        length: 119,
        md5: "d49720530a386a3191eac0dc840dd1bd",
        sha256: "6c87eedf096b345de205b702e5223b73b447a3207791ded3ea007ba15ed6736e",
        sha512256: "c7eb51b6944ab7f12dac267615935a5be8d00ece65bfc65da2dbc4ac7e8a4d2c"
    ),
    HashVector(
        length: 120,
        md5: "8a440004b569286a42c722295ce1c5a6",
        sha256: "42500cf6a1e3936d6b9e0bcfe296d654b63255e525487d3634d0b15fde591c4d",
        sha512256: "748f8756ebab291b3c1fae034ec9a48039ca1cedd662a19de820c2cc6d7bb6a4"
    ),
    HashVector(
        length: 121,
        md5: "1f6329f06fb62076bef2278b7007e60f",
        sha256: "bfee8850f7dfa42874071a0040ef89a5ac8d70c919224c440bdb63adb65d35e8",
        sha512256: "0fe0dc5cb8110cf3ae5ae37352d97999a9b04f4c576d588be548b8d267357226"
    ),
    HashVector(
        length: 127,
        md5: "36d03458e8a745e61afcf02257826e12",
        sha256: "68f6ff710276900c0ffbbc57426f67e00c2e01f0750c7edc25ac06b8ce7a8095",
        sha512256: "e6a744892a022b510a51bf51d40c19dcebc5dfb87222bc98338543c9b5a1fe66"
    ),
    HashVector(
        length: 128,
        md5: "52cc29caecfd9380a2261a80c58e6787",
        sha256: "489d55fea9a73af36b6dd0be7b4117d8e5683386d39544e8a44c99a87f368707",
        sha512256: "f68a28f2103cf5105d30918354cb2a56a5518ad44e798ae73014a832bf0bb772"
    ),
    HashVector(
        length: 129,
        md5: "0fa5eac15b498f879494809c74939fc7",
        sha256: "4e1556b2e9a50a3cc9478f3254727b01065f9ac5d2c3a8b4cd538ae7240bb87d",
        sha512256: "1b06652cf73654c3d00acf6feaa60f92f384f4544ccbc6ab2616728c6e46f71d"
    ),
    HashVector(
        length: 191,
        md5: "050b3327d0ba3f19af2611aaad6df1d7",
        sha256: "335b3bf2c22790fea5a53aeb3bc5964e315479ea95077e3425e53031703c6ef0",
        sha512256: "6c3ac25ccceff9d81a98661d8b696144fa816b127b3044677275780152774534"
    ),
    HashVector(
        length: 192,
        md5: "ef204c6d4d11c8124b4f50a9c73d6cfc",
        sha256: "8670a48b392a0d3059954d2bd00de898822e9581ab3f85145e5183d9ad740dea",
        sha512256: "9e163a5c1d13b4da9c60b88d750b7707e3a5722da07d5df65c64d365a2ac4dab"
    ),
    HashVector(
        length: 255,
        md5: "ec39521defd0267bf4104a9f491ed6d8",
        sha256: "a00e7f00e2acf6905080c3b78319b8a4f159b5974f853484e1486c157151299a",
        sha512256: "9a1f6ff273607a97204324e3cbada93f7d0f09eebc245c1b923981c31c2e4ace"
    ),
    HashVector(
        length: 256,
        md5: "4335b1197cb589ecc218fd1ed8e39874",
        sha256: "cd0f337ab3e6f7b4f9a40b8278670d102c8101075f064e9960dd29729702712e",
        sha512256: "61a9b27327d1e6ffbd5a24551a9731b3456ec9698375624308110adc8b1695dd"
    ),
    HashVector(
        length: 257,
        md5: "e2c80cc6a8a6690ae013d4b1973f44d2",
        sha256: "c90f53f7abf7394633cf42731c7656bdd7e7f84404ef3289904132ee5ea05199",
        sha512256: "a1916727bb133ed5ccc28423f7dd477adc654e629b6e94ec0089a6cfe95c0e24"
    ),
    HashVector(
        length: 1000,
        md5: "c3b2968d34e038455d14c8827156e193",
        sha256: "6b0df76627243d095b0c4400cb658b7e804dd03461cc03aee8fc8fe0bcada168",
        sha512256: "25f150984fa724c130497e3f094e99fdfe0090ef9cf79bc270f1708b41e8ac5d"
    ),
    HashVector(
        length: 4096,
        md5: "a69b23aaf71dc476ca3e39e8a11274d9",
        sha256: "d010f6d76d0eb4dce5d5b5b34014a8a157ec4380a66c24d7d455a9bf652db14a",
        sha512256: "71d08d15fffcd110de5ca10f52712758c1de9e04cc30ae14be19f6ce9dc2ca54"
    ),
]
