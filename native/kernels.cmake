# Defines a library of all kernels, for the Python module, the kernel tests and the fuzz targets.

# Compile the files of each folder in groups, and parse headers that most files include only once. Together this halves the
# compile time. So files of a folder must not define the same name, also in unnamed namespaces.
function(compile_together target files_per_group)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  # Files for one instruction set have options of their own.
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_(avx2|avx512|neon)\\.cpp$")
  list(SORT sources)
  set(last "")
  foreach(source ${sources})
    get_source_file_property(options ${source} COMPILE_OPTIONS)
    if(options)
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    if(NOT folder STREQUAL last)
      set(last ${folder})
      set(count 0)
    endif()
    get_filename_component(name ${folder} NAME)
    math(EXPR group "${count} / ${files_per_group}")
    math(EXPR count "${count} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${name}_${group}")
  endforeach()
endfunction()

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
  compile_together(${target} 7)
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
