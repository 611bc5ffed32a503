import ArgumentParser

#if AsyncHTTPClient
    import Hummingbird
#endif
