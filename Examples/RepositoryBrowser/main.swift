// A program as applications wrote it for Moya 15: targets, a provider subclass, plugins, stubs, callbacks. It is built in
// Swift 5 mode, where not a line of such a program has to change.
//
//     swift run repository-browser
Application(print: { print($0) }).run()
