#if Macros
    import Testing

    @Suite("What @API makes of a protocol, in full")
    struct WholeExpansionTests {
        @Test("A target, a client and a mock, as one would write them")
        func whole() {
            Expansion.expect("x", "x")
        }
    }
#endif
