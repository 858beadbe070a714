import { readdir, readFile, readlink, realpath } from 'node:fs/promises'

/** The working directory of every PostgreSQL process is its cluster's folder. */
const belongsToCluster = async (pid: string, cluster: string): Promise<boolean> => {
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '')
  return folder === cluster
}

/** `pid (title) state parent …`; a title may contain anything. */
const getParentPid = async (pid: string): Promise<string> => {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return line.slice(line.lastIndexOf(')') + 2).split(' ')[1] ?? ''
}

/**
 * Ends the processes left behind by a killed server of a cluster. They normally notice and exit, but one that waits for another killed process
 * waits forever, and PostgreSQL starts no new server while it holds the shared memory. Linux only; does nothing elsewhere.
 */
export const terminateOrphans = async (cluster: string): Promise<void> => {
  const folder = await realpath(cluster)
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  for (const pid of pids) {
    const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (
      !title.startsWith('postgres: ') ||
      !(await belongsToCluster(pid, folder)) ||
      (await belongsToCluster(await getParentPid(pid), folder))
    )
      continue
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // it has already exited
    }
  }
}
