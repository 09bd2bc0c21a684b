# gpu-bench [JOBS] [--out DIR]: on a machine with a GPU, unpack the kit and time kernels and launches beside upstream's.
. .dev/kit/unpack.sh
exec python3 .dev/testing/gpu.py bench --kit "$kit" --out "$out" ${jobs:+--only "$jobs"}
