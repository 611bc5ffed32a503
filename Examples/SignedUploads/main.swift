// An application as written for Moya 15.0.3, whose endpoint closure signs parameters and multipart forms. It is built in
// Swift 5 mode, in which such an application compiles without changes and without warnings.
//
//     swift run signed-uploads
import Moya

Uploader(
    signer: RequestSigner(key: "app", secret: "secret"),
    stubClosure: MoyaProvider.immediatelyStub,
    print: { print($0) }
).run()
