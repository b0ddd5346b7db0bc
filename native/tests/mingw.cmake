# Builds for 64-bit Windows on Debian and runs the tests in Wine: apt-get install g++-mingw-w64-x86-64-posix wine wine64
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)  # without the compiler's DLLs, which Wine would not find
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
