#if Macros
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    /// What the compiler asks for expansions.
    @main
    struct Plugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [APIMacro.self, MarkerMacro.self]
    }
#else
    // A program all the same, as every plugin is one.
    @main
    enum Plugin {
        static func main() {}
    }
#endif
