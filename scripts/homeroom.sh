#!/bin/sh
# The command `homeroom` of a release, run by the Node that comes with it.
set -eu
home=$(dirname "$(dirname "$(readlink -f "$0")")")
# Reduce memory use: docs/decisions/020-fast-responses.md.
export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-2}" MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-65536}"
exec "$home/bin/node" --max-semi-space-size=8 --v8-pool-size=1 --heap-growing-percent=30 --max-old-space-size="${MAX_HEAP_MB:-1024}" "$home/scripts/homeroom.mjs" "$@"
