// An application as written for Moya 15.0.3, whose interceptor refreshes the user's token. It is built in Swift 5 mode with
// `-module-alias Alamofire=MoyaAlamofire`; the code is as it was.
//
//     MESSAGES_URL=http://127.0.0.1:8080 swift run token-refresh
import Dispatch

let mailbox = Mailbox(token: "old", refreshToken: "long")
let done = DispatchSemaphore(value: 0)
mailbox.open { text in
    print(text)
    done.signal()
}
done.wait()
