# LLVM and MLIR 19.1. Shared by default: links in 0.1 s. With TRISECT_STATIC_LLVM only the libraries that a
# target names are linked, so that section collection can drop the rest.
#
#   trisect_link_mlir(target [MLIRComponent...])   MLIR libraries by their static names
#   trisect_link_llvm(target component...)         LLVM components by llvm-config names
find_package(MLIR 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19/lib/cmake/mlir)
find_package(LLVM 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19/lib/cmake/llvm)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")

function(trisect_link_mlir target)
  if(TRISECT_STATIC_LLVM)
    target_link_libraries(${target} PUBLIC ${ARGN})
  else()
    target_link_libraries(${target} PUBLIC MLIR LLVM)
  endif()
  target_include_directories(${target} SYSTEM PUBLIC ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${target} PUBLIC ${LLVM_DEFINITIONS_LIST})
endfunction()

function(trisect_link_llvm target)
  if(TRISECT_STATIC_LLVM)
    llvm_map_components_to_libnames(libs ${ARGN})
    target_link_libraries(${target} PUBLIC ${libs})
  else()
    target_link_libraries(${target} PUBLIC LLVM)
  endif()
  target_include_directories(${target} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${target} PUBLIC ${LLVM_DEFINITIONS_LIST})
endfunction()
