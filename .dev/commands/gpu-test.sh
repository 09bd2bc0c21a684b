# gpu-test [JOBS] [--out DIR]: on a machine with a GPU, unpack the kit and run the tests of the device; JOBS are
# parts of names after commas.
. .dev/kit/unpack.sh
exec python3 .dev/testing/gpu.py test --kit "$kit" --out "$out" ${jobs:+--only "$jobs"}
