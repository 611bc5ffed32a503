#include <stdlib.h>

/// Removes the proxies of the environment before anything else runs: the servers of the tests are on this machine.
__attribute__((constructor)) static void removeProxies(void) {
    static const char *const names[] = {
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    };
    for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) unsetenv(names[index]);
}
