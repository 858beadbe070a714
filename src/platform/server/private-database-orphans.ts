import { readdir, readFile, readlink, realpath } from 'node:fs/promises'

/** Every process of a PostgreSQL server is in the folder of its cluster. */
const belongsToCluster = async (pid: string, cluster: string): Promise<boolean> => {
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '')
  return folder === cluster
}

/** `pid (title) state parent …`; a title may hold anything. */
const getParentPid = async (pid: string): Promise<string> => {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[1] ?? ''
}

/**
 * Ends what a killed server of a cluster left behind. Its processes see that it has gone and end by themselves, but for one that waits for another that
 * was killed with it: that one waits for ever, and PostgreSQL starts no new server while it holds the old one's memory. On Linux alone; elsewhere nothing
 * is found.
 */
export const terminateOrphans = async (cluster: string): Promise<void> => {
  const place = await realpath(cluster)
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  for (const pid of pids) {
    const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (
      !title.startsWith('postgres: ') ||
      !(await belongsToCluster(pid, place)) ||
      (await belongsToCluster(await getParentPid(pid), place))
    )
      continue
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // it has ended by itself
    }
  }
}
