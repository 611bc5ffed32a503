import Foundation
import Moya

/// The application: a provider whose endpoint closure signs each request.
final class Uploader {
    let provider: MoyaProvider<PhotoService>
    private let print: (String) -> Void

    init(
        signer: RequestSigner,
        session: Session = MoyaProvider<PhotoService>.defaultAlamofireSession(),
        stubClosure: @escaping MoyaProvider<PhotoService>.StubClosure = MoyaProvider.neverStub,
        print: @escaping (String) -> Void
    ) {
        self.print = print
        let endpointClosure = { (target: PhotoService) -> Endpoint in
            return signer.sign(MoyaProvider.defaultEndpointMapping(for: target))
        }
        provider = MoyaProvider<PhotoService>(
            endpointClosure: endpointClosure,
            stubClosure: stubClosure,
            session: session,
            plugins: [UploadLog(print: print)]
        )
    }

    func run() {
        let photo = Data([0xFF, 0xD8, 0xFF])
        for target in [
            PhotoService.upload(photo: photo, caption: "The sea"), .add(photo: photo, album: "2026"),
            .search(text: "sea"), .limits,
        ] {
            provider.request(target) { [print] result in
                switch result {
                case .success(let response): print("\(response.statusCode)")
                case .failure(let error): print(error.localizedDescription)
                }
            }
        }
    }
}
