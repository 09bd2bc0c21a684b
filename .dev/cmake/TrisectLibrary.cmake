# How a folder becomes a library, a tool or a test.
#
#   trisect_library(Name SOURCES a.cpp... [DEPENDS Lib...] [MLIR] [LLVM] [PCH])
#     A static library with includes rooted at the repository. MLIR and LLVM link what their names say; PCH shares
#     the precompiled MLIR headers of core/ir (only for files that include MLIR) and links MLIR.
#   trisect_tool(name SOURCES ... DEPENDS ...)    an executable in <build>/bin
#   trisect_test(name SOURCES ... DEPENDS ...)    a GoogleTest executable in <build>/tests, known to ctest
# trisect_use_pch(target): compiles with the one precompiled header. Its path is an option of its own, not one behind
# -Xclang as CMake writes it: so ccache sees that it lies in the build folder, and checkouts share objects.
set(TRISECT_PCH_FILE ${PROJECT_BINARY_DIR}/core/ir/CMakeFiles/TrisectPch.dir/cmake_pch.hxx.pch)
function(trisect_use_pch target)
  # -fPIC as the header was compiled, in executables too.
  target_compile_options(${target} PRIVATE -fPIC "SHELL:-include-pch ${TRISECT_PCH_FILE}")
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set_property(SOURCE ${sources} APPEND PROPERTY OBJECT_DEPENDS ${TRISECT_PCH_FILE})
  add_dependencies(${target} TrisectPch)
endfunction()

function(trisect_common target)
  cmake_parse_arguments(ARG "PCH;MLIR;LLVM" "" "SOURCES;DEPENDS" ${ARGN})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
  if(ARG_DEPENDS)
    target_link_libraries(${target} PUBLIC ${ARG_DEPENDS})
  endif()
  if(ARG_MLIR OR ARG_PCH)
    trisect_link_mlir(${target})
  elseif(ARG_LLVM)
    trisect_link_llvm(${target})
  endif()
  if(ARG_PCH)
    trisect_use_pch(${target})
  endif()
endfunction()

function(trisect_library name)
  cmake_parse_arguments(LIB "PCH;MLIR;LLVM" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${LIB_SOURCES})
  trisect_common(${name} ${ARGN})
endfunction()

function(trisect_tool name)
  cmake_parse_arguments(TOOL "PCH;MLIR;LLVM" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${TOOL_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  trisect_common(${name} ${ARGN})
endfunction()

add_custom_target(trisect-tests) # all GoogleTest executables
function(trisect_test name)
  cmake_parse_arguments(TEST "PCH;MLIR;LLVM" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  trisect_common(${name} ${ARGN})
  if(NOT TARGET GTest::gtest)
    find_package(GTest REQUIRED)
  endif()
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
  add_dependencies(trisect-tests ${name})
endfunction()
