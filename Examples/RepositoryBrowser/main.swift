// This application is written as for Moya 15, with targets, a provider subclass, plugins, stubs and callbacks. It shows that such an
// application compiles without changes in Swift 5 mode.
//
//     swift run repository-browser
let application = Application(print: { print($0) })
application.run()
