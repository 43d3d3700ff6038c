# The third-party libraries. A row is: short name | pkg-config module | headers that give it away.
# A folder that does not list a library under LIBRARIES gets an #error for its headers, so that
# "only db/ includes sqlite3.h" is a rule of the build and not of good manners.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

set(SPINFAULT_THIRD_PARTY
  "sqlite3|sqlite3|sqlite3.h"
  "libxml2|libxml-2.0|libxml/parser.h,libxml/tree.h,libxml/xmlwriter.h,libxml/xmlreader.h,libxml/relaxng.h"
  "libxslt|libxslt libexslt|libxslt/xslt.h,libxslt/xsltInternals.h,libxslt/transform.h,libexslt/exslt.h"
  "jansson|jansson|jansson.h"
  "libarchive|libarchive|archive.h"
  "cairo|cairo cairo-pdf cairo-svg|cairo.h,cairo/cairo.h"
  "pango|pangocairo|pango/pango.h,pango/pangocairo.h"
  "libclang||clang-c/Index.h")

pkg_check_modules(GLIB REQUIRED IMPORTED_TARGET glib-2.0>=2.74)

set(SPINFAULT_MISSING "")
foreach(row IN LISTS SPINFAULT_THIRD_PARTY)
  string(REPLACE "|" ";" row "${row}")
  list(GET row 0 name)
  list(GET row 1 modules)
  if(modules)
    string(REPLACE " " ";" modules "${modules}")
    pkg_check_modules(DEP_${name} IMPORTED_TARGET ${modules})
    if(NOT DEP_${name}_FOUND)
      list(APPEND SPINFAULT_MISSING ${name})
    else()
      add_library(spinfault_dep_${name} ALIAS PkgConfig::DEP_${name})
    endif()
  endif()
endforeach()

# libclang has no pkg-config file. llvm-config knows best; else look where distributions put it.
find_program(SPINFAULT_LLVM_CONFIG NAMES llvm-config-19 llvm-config-20 llvm-config-21 llvm-config-18
  llvm-config-17 llvm-config)
set(llvm_hints /usr/lib/llvm-19 /usr/lib/llvm-20 /usr/lib/llvm-21 /usr/lib/llvm-18 /usr/lib/llvm-17
  /usr/lib64/llvm19 /usr/lib64/llvm20 /usr/lib64/llvm18 /usr/lib64/llvm17 /usr/lib/llvm19 /usr/lib/llvm18
  /opt/homebrew/opt/llvm /usr/local/opt/llvm /usr/local/llvm19 /usr)
if(SPINFAULT_LLVM_CONFIG)
  execute_process(COMMAND ${SPINFAULT_LLVM_CONFIG} --prefix OUTPUT_VARIABLE llvm_prefix
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  list(PREPEND llvm_hints ${llvm_prefix})
endif()
find_path(LIBCLANG_INCLUDE_DIR clang-c/Index.h HINTS ${llvm_hints} PATH_SUFFIXES include)
find_library(LIBCLANG_LIBRARY NAMES clang clang-19 clang-20 clang-21 clang-18 clang-17
  HINTS ${llvm_hints} PATH_SUFFIXES lib lib64)
if(NOT LIBCLANG_INCLUDE_DIR OR NOT LIBCLANG_LIBRARY)
  list(APPEND SPINFAULT_MISSING libclang)
else()
  file(STRINGS ${LIBCLANG_INCLUDE_DIR}/clang-c/Index.h clang_minor REGEX "define CINDEX_VERSION_MINOR")
  string(REGEX MATCH "[0-9]+" clang_minor "${clang_minor}")
  if(clang_minor LESS 64)  # CINDEX_VERSION_MINOR 64 came with LLVM 17
    message(FATAL_ERROR "libclang in ${LIBCLANG_INCLUDE_DIR} is older than 17. "
      "Install libclang-19-dev (Debian, Ubuntu) or clang-devel >= 17 (Fedora), "
      "or name it with -DLIBCLANG_INCLUDE_DIR=… -DLIBCLANG_LIBRARY=….")
  endif()
  add_library(spinfault_dep_libclang INTERFACE IMPORTED GLOBAL)
  # Only clang-c/ is put on the path: LLVM's own include folder may be /usr/include.
  target_include_directories(spinfault_dep_libclang SYSTEM INTERFACE ${LIBCLANG_INCLUDE_DIR})
  target_link_libraries(spinfault_dep_libclang INTERFACE ${LIBCLANG_LIBRARY})
  message(STATUS "libclang: ${LIBCLANG_LIBRARY}")
endif()

if(SPINFAULT_MISSING)
  list(JOIN SPINFAULT_MISSING ", " missing)
  message(FATAL_ERROR "Missing: ${missing}. On Debian and Ubuntu:\n"
    "  apt-get install libclang-19-dev libglib2.0-dev libsqlite3-dev libxml2-dev libxslt1-dev "
    "libcairo2-dev libpango1.0-dev libjansson-dev libarchive-dev\n"
    "On Fedora:\n  dnf install clang-devel glib2-devel sqlite-devel libxml2-devel libxslt-devel "
    "cairo-devel pango-devel jansson-devel libarchive-devel\n"
    "If libclang lies elsewhere: -DLIBCLANG_INCLUDE_DIR=… -DLIBCLANG_LIBRARY=…")
endif()
