import { once } from 'node:events'
import { createServer } from 'node:net'

/** A free port on this machine. */
export const getFreePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  const closed = once(probe, 'close')
  probe.close()
  await closed
  if (typeof address !== 'object' || address === null) throw new Error('No free port')
  return address.port
}
