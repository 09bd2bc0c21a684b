# LLVM and MLIR 19.1. Shared by default: links in 0.1 s. With TRISECT_STATIC_LLVM (the kit and the wheel) every
# archive is offered to the linker, which takes the members that are referenced; section collection drops the rest.
#
#   trisect_link_mlir(target)   MLIR and LLVM, with their headers
#   trisect_link_llvm(target)   LLVM alone
find_package(MLIR 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19/lib/cmake/mlir)
find_package(LLVM 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19/lib/cmake/llvm)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")

if(TRISECT_STATIC_LLVM)
  file(GLOB archives "${LLVM_LIBRARY_DIR}/libMLIR*.a" "${LLVM_LIBRARY_DIR}/libLLVM*.a")
  # The language server takes its own two whole; CMake links an archive in one way only.
  list(FILTER archives EXCLUDE REGEX "LspServer")
  # Static too, so that a machine without their packages can load the library.
  find_library(TRISECT_ZLIB libz.a REQUIRED)
  find_library(TRISECT_ZSTD libzstd.a REQUIRED)
  add_library(TrisectStaticLlvm INTERFACE)
  target_link_libraries(TrisectStaticLlvm INTERFACE ${archives} ${TRISECT_ZLIB} ${TRISECT_ZSTD} ${CMAKE_DL_LIBS} m)
  target_link_options(TrisectStaticLlvm INTERFACE -Wl,-s)
endif()

function(trisect_link_mlir target)
  trisect_link_llvm(${target})
  if(NOT TRISECT_STATIC_LLVM)
    target_link_libraries(${target} PUBLIC MLIR)
  endif()
  target_include_directories(${target} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS})
endfunction()

function(trisect_link_llvm target)
  if(TRISECT_STATIC_LLVM)
    target_link_libraries(${target} PUBLIC TrisectStaticLlvm)
  else()
    target_link_libraries(${target} PUBLIC LLVM)
  endif()
  target_include_directories(${target} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${target} PUBLIC ${LLVM_DEFINITIONS_LIST})
endfunction()
