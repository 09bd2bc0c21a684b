# corpus ARCHIVE...: read, print and transform every TTIR module of a folder or archive (.tar.xz), a row a subfolder.
[ $# -ge 1 ] || die "corpus: name a folder or an archive of .ttir files"
need_build release
status=0
for path in "$@"; do
  build/release/bin/trisect-corpus "$path" || status=1
done
exit $status
