import { z } from 'zod'

import { call } from '../../../platform/contract/call.ts'

export const readServerState = call({
  method: 'GET',
  path: '/api/server-state',
  needs: 'see the state of the server',
  does: 'What needs attention on the server, one sentence each, such as a disk that is nearly full. Empty if nothing does.',
  answer: z.strictObject({ warnings: z.array(z.string()) }),
})
