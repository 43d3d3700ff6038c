# cmake -DFILES=a;b;c -DNAME=X -DOUT=x.h -P digest.cmake: a header that defines X as the SHA-256 of the
# files.
set(all "")
foreach(file IN LISTS FILES)
  file(SHA256 ${file} one)
  string(APPEND all "${one}\n")
endforeach()
string(SHA256 digest "${all}")
file(WRITE ${OUT} "#define ${NAME} \"${digest}\"\n")
