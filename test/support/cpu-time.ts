/** The CPU time of work in this process, in whole milliseconds: other work on the machine does not count. */
export const measureCpu = async (work: () => Promise<unknown>): Promise<number> => {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return Math.round((user + system) / 1000)
}

/** The minimum of three measurements, since garbage from other tests may be collected during one of them. */
export const measureLeastCpu = async (work: () => Promise<unknown>, prepare?: () => Promise<unknown>): Promise<number> => {
  const measured: number[] = []
  for (let nth = 0; nth < 3; nth++) {
    await prepare?.()
    measured.push(await measureCpu(work))
  }
  return Math.min(...measured)
}
