// The main function of all tests, compiled once. Sanitizers report signals themselves.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS
#include <doctest.h>
