// This application is written as for Moya 15.0.3; its endpoint closure signs parameters and multipart forms. It shows that such an
// application compiles without changes and without warnings in Swift 5 mode.
//
//     swift run signed-uploads
import Moya

Uploader(
    signer: RequestSigner(key: "app", secret: "secret"),
    stubClosure: MoyaProvider.immediatelyStub,
    print: { print($0) }
).run()
