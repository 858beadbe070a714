/** The CPU time of work in this process, in whole milliseconds: other work on the machine does not count. */
export const measureCpu = async (work: () => Promise<unknown>): Promise<number> => {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return Math.round((user + system) / 1000)
}

/** The minimum of three measurements, since garbage from other tests may be collected during one of them. */
const getLeast = async (measure: () => Promise<number>): Promise<number> => Math.min(await measure(), await measure(), await measure())

export const measureLeastCpu = (work: () => Promise<unknown>, prepare?: () => Promise<unknown>): Promise<number> =>
  getLeast(async () => {
    await prepare?.()
    return measureCpu(work)
  })

/** The time that work takes, in milliseconds, with what the database spends on it. */
export const measureLeastTime = (work: () => Promise<unknown>): Promise<number> =>
  getLeast(async () => {
    const start = performance.now()
    await work()
    return performance.now() - start
  })

const JSON_TEXT = JSON.stringify(Object.fromEntries(Array.from({ length: 8000 }, (_, n) => [`key ${n}`, n])))
/** The CPU time of parsing it ten times on the machine that the tests' limits were chosen on. */
const PARSING_MS = 20

/** The CPU time of work in this process, in milliseconds on the machine that the tests' limits were chosen on. */
export const measureComparableCpu = async (work: () => Promise<unknown>): Promise<number> =>
  (await measureCpu(work)) / (await measureSlowness())

/** How many times slower this process runs now than on the machine that the tests' limits were chosen on; at least 1. */
export const measureSlowness = async (): Promise<number> => {
  const ms = await measureCpu(async () => {
    for (let nth = 0; nth < 10; nth++) JSON.parse(JSON_TEXT)
  })
  return Math.max(1, ms / PARSING_MS)
}
