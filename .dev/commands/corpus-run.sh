# corpus-run ARCHIVE|FOLDER [--limit SECONDS] [--list]: run every TTIR module of an archive in tier 0 with arguments made
# up for it, in shadow mode, on one thread and on all; prints how many ran, faults by kind, what is unsupported, what
# the sanitizers found and which ways of running disagree.
# corpus-run ARCHIVE|FOLDER --tier cpu [--limit SECONDS] [--list] [--json FILE]: compile every module for the CPU and
# compare all programs of a launch that is made up for it with tier 0, as the cross-check does.
# corpus-run ARCHIVE|FOLDER --tier cuda --compile-only [--capability N]... [--only N] [--list] [--figures FILE]: compile
# every module for NVIDIA GPUs (sm_90a and sm_80) and assemble it; prints what was refused, what failed, what spills.
source="${1:-}"
[ -n "$source" ] || die "corpus-run: name an archive (.tar.xz) or a folder of .ttir files"
shift
if [ "${1:-} ${2:-} ${3:-}" = "--tier cuda --compile-only" ]; then
  shift 3
  need_build release
  exec build/release/bin/trisect-cuda-corpus "$source" "$@"
fi
need_build release
folder="$source"
if [ -f "$source" ]; then
  folder="build/corpus"
  rm -rf "$folder"
  mkdir -p "$folder"
  tar -xf "$source" -C "$folder"
fi
if [ "${1:-} ${2:-}" = "--tier cpu" ]; then
  exec build/release/bin/trisect-check --corpus "$folder" "$@"
fi
exec build/release/bin/trisect-run --corpus "$folder" --reasons tests/corpus/reasons.txt "$@"
