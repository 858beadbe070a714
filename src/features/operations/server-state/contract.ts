import { z } from 'zod'

import { call } from '../../../contract/call.ts'

export const readServerState = call('GET', '/api/server-state', {
  capability: 'see the state of the server',
  summary: 'What needs attention on the server, one sentence each, such as a disk that is nearly full. Empty if nothing does.',
  response: z.strictObject({ warnings: z.array(z.string()) }),
})
