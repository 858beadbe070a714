import { z } from 'zod'

import { call } from '../../platform/contract/call.ts'

export const readServerState = call({
  method: 'GET',
  path: '/api/server-state',
  needs: 'see the state of the server',
  does: 'What of the server needs somebody’s care, in a sentence each: a disk that is nearly full. Nothing where all is well.',
  answer: z.strictObject({ warnings: z.array(z.string()) }),
})
