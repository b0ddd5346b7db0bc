# Defines a library of all kernels, for the Python module, the kernel tests and the fuzz targets.

# Each group of files is compiled as one, and headers that most files include are parsed once. Together this halves the compile time.
# Files of a group must not define the same name, also in unnamed namespaces. Files in no group are compiled separately.
function(compile_together target folder)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(group ${ARGN})
    string(REPLACE " " ";" names "${group}")
    foreach(name ${names})
      set_source_files_properties(${folder}/${name}.cpp PROPERTIES UNITY_GROUP "${group}")
    endforeach()
  endforeach()
endfunction()

function(add_kernels target)
  set(folder ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/refscore)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  target_link_libraries(${target} PUBLIC Threads::Threads)
  if(NOT MSVC)
    # ARM would fuse a multiplication and an addition, and round once instead of twice. The last digits of scores would then depend on
    # the processor. Sums of resampling.cpp are exact, so fusing only makes them faster.
    target_compile_options(${target} PRIVATE -ffp-contract=off)
    set_source_files_properties(${folder}/resampling.cpp PROPERTIES COMPILE_OPTIONS -ffp-contract=fast)
  endif()
  compile_together(
    ${target}
    ${folder}
    "agreement alignment answer_text arrow_side arrow_values beam_edits bleu"
    "bleu_pairs byte_classes character chrf chrf_input chrf_pairs cider collection"
    "common_counts crystal_bleu diversity edit_distance eed eed_text error_rate exact_match"
    "exact_sums gleu graphemes lattice_distance listed_errors lowercase meeting_assignment meeting_edits"
    "meeting_streams meteor ngram_counts ngram_index ngrams nist"
    "numbered_group overlap overlap_filter overlap_hash porter preconditions prepared"
    "beam_distance meeting_timed_streams ptb_patterns ptb_tokenizer"
    "meeting_times rank_correlation resegment ribes_pairs rouge"
    "sari segments skip_bigrams stopping strip_rows suffix_order swap_test swapped_ties"
    "ribes tercom text text_rewrites text_steps thread_pool tie_calibration token_f1"
    "ter tokenizers unicode unit_means usable_cores vocabulary weighted_subsequence whisper_amounts"
    "unit_matches whisper_normalizer whisper_numbers word_matching")
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
