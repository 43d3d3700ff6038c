# spinfault_library(NAME USES folder… LIBRARIES third-party… SOURCES file…)
#   A static library for the folder NAME. It sees its own files, the public headers of USES, GLib and
#   the LIBRARIES; the headers of every other library in SpinfaultDependencies.cmake are an #error.
# spinfault_embed(TARGET SYMBOL FILE)
#   Puts FILE into TARGET as `extern const char SYMBOL[], SYMBOL_end[];` (NUL after the last byte).
# spinfault_unit_test(NAME USES folder… SOURCES file…)
#   A g_test program, run by ctest with TAP output; it may look into its folder's private headers.

function(spinfault_flags target)
  target_compile_features(${target} PRIVATE c_std_11)
  set_target_properties(${target} PROPERTIES C_EXTENSIONS ON POSITION_INDEPENDENT_CODE ON)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE _FILE_OFFSET_BITS=64
    SPINFAULT_VERSION="${PROJECT_VERSION}")
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wstrict-prototypes
    -Wmissing-prototypes -Wpointer-arith -Wwrite-strings -Wvla -Wformat=2 -Wno-missing-field-initializers
    -fno-strict-aliasing -fno-omit-frame-pointer)
  if(SPINFAULT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(SPINFAULT_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${SPINFAULT_SANITIZE}
      -fno-sanitize-recover=undefined)
    target_link_options(${target} PRIVATE -fsanitize=${SPINFAULT_SANITIZE})
  endif()
  if(SPINFAULT_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  if(SPINFAULT_COVERAGE)
    target_compile_options(${target} PRIVATE --coverage)
    target_link_options(${target} PRIVATE --coverage)
  endif()
endfunction()

# Headers of libraries that are not in `allowed` become an #error in `target`.
function(spinfault_forbid target allowed)
  set(dir ${CMAKE_BINARY_DIR}/forbidden/${target})
  foreach(row IN LISTS SPINFAULT_THIRD_PARTY)
    string(REPLACE "|" ";" row "${row}")
    list(GET row 0 name)
    list(GET row 2 headers)
    string(REPLACE "," ";" headers "${headers}")
    foreach(header IN LISTS headers)
      if(name IN_LIST allowed)
        file(REMOVE ${dir}/${header})  # of a configuration before it was allowed
      else()
        file(CONFIGURE OUTPUT ${dir}/${header} CONTENT
          "#error \"${target}/ may not include ${header}: see docs/architecture.md\"\n")
      endif()
    endforeach()
  endforeach()
  target_include_directories(${target} BEFORE PRIVATE ${dir})
endfunction()

function(spinfault_library name)
  cmake_parse_arguments(ARG "" "" "USES;LIBRARIES;SOURCES" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  spinfault_flags(${name})
  target_include_directories(${name} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/include
    PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC PkgConfig::GLIB PRIVATE Threads::Threads m)
  # PUBLIC among ourselves only so that the final link finds everything; what is *visible* is cut
  # down below to the folders that are named.
  foreach(used IN LISTS ARG_USES)
    target_link_libraries(${name} PRIVATE ${used})
  endforeach()
  foreach(lib IN LISTS ARG_LIBRARIES)
    target_link_libraries(${name} PRIVATE spinfault_dep_${lib})
  endforeach()
  spinfault_forbid(${name} "${ARG_LIBRARIES}")
endfunction()

function(spinfault_embed target symbol file)
  get_filename_component(path ${file} ABSOLUTE)
  set(asm ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.S)
  file(CONFIGURE OUTPUT ${asm} CONTENT
".section .rodata
.global ${symbol}
.global ${symbol}_end
${symbol}:
.incbin \"${path}\"
${symbol}_end:
.byte 0
.section .note.GNU-stack,\"\",%progbits
")
  set_source_files_properties(${asm} PROPERTIES OBJECT_DEPENDS ${path})
  target_sources(${target} PRIVATE ${asm})
endfunction()

function(spinfault_unit_test name)
  cmake_parse_arguments(ARG "" "" "USES;LIBRARIES;SOURCES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  spinfault_flags(${name})
  target_link_libraries(${name} PRIVATE ${ARG_USES} PkgConfig::GLIB m)
  foreach(lib IN LISTS ARG_LIBRARIES)
    target_link_libraries(${name} PRIVATE spinfault_dep_${lib})
  endforeach()
  foreach(used IN LISTS ARG_USES)
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/${used})
  endforeach()
  target_compile_definitions(${name} PRIVATE SPINFAULT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND ${name} --tap)
endfunction()
