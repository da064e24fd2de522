// The headers of Swift's module WinSDK.
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
