// This application is written as for Moya 15.0.3; its interceptor refreshes the user's token. It is built without changes in Swift 5
// mode with `-module-alias Alamofire=MoyaAlamofire`.
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
