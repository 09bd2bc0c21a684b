# Build options, warnings and flags common to every target.
option(TRISECT_TESTS "build the C++ tests" ON)
option(TRISECT_FUZZ "build the fuzz targets" OFF)
option(TRISECT_BENCH "build the micro benchmarks" OFF)
option(TRISECT_STATIC_LLVM "link LLVM and MLIR statically into the shared library" OFF)
set(TRISECT_SANITIZE "" CACHE STRING "value for -fsanitize=, empty for none")
set(TRISECT_PACKAGE_DIR "" CACHE PATH "folder that gets the built parts of the Python package; empty = <build>/package/trisect")
if(NOT TRISECT_PACKAGE_DIR)
  set(TRISECT_PACKAGE_DIR "${CMAKE_BINARY_DIR}/package/trisect")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# MLIR files gain nothing from -O2 (docs/building.md); numeric kernels ask for -O3 themselves.
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -gline-tables-only -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -gline-tables-only -fno-omit-frame-pointer")

find_program(TRISECT_CCACHE ccache)
if(TRISECT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A precompiled header is only cacheable when its own time stamp is left out of it.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${TRISECT_CCACHE})
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter -Werror=return-type -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  find_program(TRISECT_LLD NAMES ld.lld-19 ld.lld)
  if(TRISECT_LLD)
    add_link_options(-fuse-ld=lld)
  endif()
endif()
add_compile_options(-ffunction-sections -fdata-sections)
add_link_options(-Wl,--gc-sections)
if(TRISECT_SANITIZE)
  add_compile_options(-fsanitize=${TRISECT_SANITIZE} -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${TRISECT_SANITIZE})
endif()
