# corpus-run ARCHIVE|FOLDER [--mode direct|shadow] [--limit SECONDS] [--list]: run every TTIR module of an archive in tier 0 with arguments
# made up for it; prints how many ran, faults by kind and what is unsupported.
source="${1:-}"
[ -n "$source" ] || die "corpus-run: name an archive (.tar.xz) or a folder of .ttir files"
shift
need_build release
folder="$source"
if [ -f "$source" ]; then
  folder="build/corpus"
  rm -rf "$folder"
  mkdir -p "$folder"
  tar -xf "$source" -C "$folder"
fi
exec build/release/bin/trisect-run --corpus "$folder" "$@"
