// This application is written as for Moya 15, with targets, a provider subclass, plugins, stubs and callbacks. It shows that such an
// application compiles without changes in Swift 5 mode.
//
//     swift run repository-browser
Application(print: { print($0) }).run()
