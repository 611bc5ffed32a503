// Whoever imports this module has Combine's names as well: the same source is right on every platform, and on Linux no
// package has to name OpenCombine.
#if canImport(Combine)
    @_exported import Combine
#elseif OpenCombine
    @_exported import OpenCombineShim
#endif
