#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Removes the proxies of the environment, because the tests' servers are on this machine.
static void removeProxies(void) {
    static const char *const names[] = {
        "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    };
    for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) unsetenv(names[index]);
}

#ifdef __linux__
#include <fcntl.h>
#include <ftw.h>
#include <unistd.h>

/// The maximum number of tests that run at the same time.
///
/// By default, Swift Testing starts all tests at once, and their servers and clients then exceed their timeouts. The limit is set on
/// Linux only, because on Apple's platforms the tests are a bundle, which cannot change the arguments of the process that loads it.
static const char *const widthOption = "--experimental-maximum-parallelization-width";
static const char *const width = "6";

enum { maximumArguments = 1024 };

static bool isWidth(const char *argument) { return strncmp(argument, widthOption, strlen(widthOption)) == 0; }

/// Starts the program again with a limit for parallel tests, unless it has one already or does not run Swift Testing.
static void limitParallelTests(void) {
    static char bytes[1 << 20];
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    ssize_t length = 0, count;
    while ((count = read(file, bytes + length, sizeof bytes - 1 - (size_t)length)) > 0) length += count;
    close(file);

    char *arguments[maximumArguments + 3];
    size_t total = 0;
    bool isSwiftTesting = false;
    for (char *next = bytes; next < bytes + length && total < maximumArguments; next += strlen(next) + 1) {
        if (isWidth(next) || strcmp(next, "--no-parallel") == 0) return;
        isSwiftTesting = isSwiftTesting || strcmp(next, "swift-testing") == 0;
        arguments[total++] = next;
    }
    if (!isSwiftTesting || total == maximumArguments) return;
    arguments[total] = (char *)widthOption;
    arguments[total + 1] = (char *)width;
    arguments[total + 2] = NULL;
    execv("/proc/self/exe", arguments);
}

static char home[] = "/tmp/moya-tests-home-XXXXXX";
static pid_t owner;

static int removeEntry(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)status, (void)type, (void)walk;
    return remove(path);
}

static void removeHome(void) {
    // Only the process that created the folder removes it, because forked child processes also run this function.
    if (getpid() == owner) nftw(home, removeEntry, 16, FTW_DEPTH | FTW_PHYS);
}

/// Sets an empty home directory, so that tests do not depend on the user's files, such as Foundation's cookies.
static void replaceHome(void) {
    if (!mkdtemp(home)) return;
    owner = getpid();
    setenv("HOME", home, 1);
    static const char *const names[] = { "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME" };
    for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) unsetenv(names[index]);
    atexit(removeHome);
}
#endif

#ifdef __linux__
/// TestSupport defines this function; it is missing in test products without TestSupport.
extern void moyaAcceptTermination(void) __attribute__((weak));
#endif

/// Prepares the process before the program's main function.
__attribute__((constructor)) static void prepareForTests(void) {
    removeProxies();
#ifdef __linux__
    limitParallelTests();
    replaceHome();
    if (moyaAcceptTermination) moyaAcceptTermination();
#endif
}
