import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { getFreePort } from '../support/free-port.ts'
import { startProgram } from '../support/server-process.ts'
import { startSplitDeployment } from '../support/split-deployment.ts'

/** The number of sites in the sample network for browser tests: the default, which has every status, facility type and region. */
const SITES = '300'

/** The tests' webhook endpoints are on this machine, and assistants can connect. */
const SETTINGS = { WEBHOOK_PRIVATE_TARGETS: 'allow', MCP: 'on' }

/** Starts the built app on its own data for the whole run; the workers find it by BROWSER_TEST_URL. */
export default async (): Promise<() => Promise<void>> => {
  const { url, stop } =
    process.env['SPLIT_DEPLOYMENT'] === '1' ? await startSplitDeployment({ SAMPLE: SITES, ...SETTINGS }) : await startWhole()
  process.env['BROWSER_TEST_URL'] = url
  return stop
}

/** One server with all parts, the default without SERVE. */
const startWhole = async (): Promise<{ url: string; stop: () => Promise<void> }> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'homeroom-browser-'))
  await chmod(dataDir, 0o711) // under root the database runs as another user, who needs access
  const url = `http://127.0.0.1:${await getFreePort()}`
  const server = startProgram(process.execPath, ['src/main.server.ts'], {
    PORT: new URL(url).port,
    DATA_DIR: join(dataDir, 'data'),
    SAMPLE: SITES,
    ...SETTINGS,
  })
  await server.waitForLine(/^Ready: /m)
  return {
    url,
    stop: async () => {
      server.child.kill('SIGTERM')
      await server.ended
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
