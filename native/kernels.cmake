# Defines a library of all kernels, for the Python module, the kernel tests and the fuzz targets.

function(add_kernels target)
  set(folder ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/refscore)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*/*.cpp)
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  target_link_libraries(${target} PUBLIC Threads::Threads)
  if(NOT MSVC)
    # ARM would fuse a multiplication and an addition, and round once instead of twice. The last digits of scores would then depend on
    # the processor. Sums of resampling.cpp are exact, so fusing only makes them faster.
    target_compile_options(${target} PRIVATE -ffp-contract=off)
    set_source_files_properties(${folder}/statistics/resampling.cpp PROPERTIES COMPILE_OPTIONS -ffp-contract=fast)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC inlines less in large units. Which files are compiled together should not matter for speed.
    target_compile_options(${target} PRIVATE --param=large-unit-insns=1000000)
  endif()
  # Compile the files of each folder as one, and parse headers that most files include only once. Together this halves
  # the compile time. So files of a folder must not define the same name, also in unnamed namespaces.
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source ${sources})
    # Files for one instruction set have options of their own, and so has resampling.cpp.
    if(NOT source MATCHES "_(avx2|avx512|neon)\\.cpp$|resampling\\.cpp$")
      get_filename_component(group ${source} DIRECTORY)
      get_filename_component(group ${group} NAME)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  target_precompile_headers(
    ${target}
    PRIVATE
    <algorithm>
    <array>
    <bit>
    <cmath>
    <cstring>
    <limits>
    <memory>
    <numeric>
    <optional>
    <span>
    <string>
    <string_view>
    <vector>)
endfunction()
