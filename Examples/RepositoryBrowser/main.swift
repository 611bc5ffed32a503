// An application as written for Moya 15: targets, a provider subclass, plugins, stubs, callbacks. It is built in
// Swift 5 mode, in which such an application compiles without changes.
//
//     swift run repository-browser
Application(print: { print($0) }).run()
