import type { FastifyInstance } from 'fastify'

import { calls } from './calls.ts'
import { closeHrSource } from './features/hr/source.server.ts'
import { makeSession } from './features/session/session.server.ts'
import { type AppParts, makeApp } from './platform/server/app.ts'
import type { House } from './platform/server/house.ts'
import { routes } from './routes.server.ts'

/** The whole server of a house: every feature's calls, answered by their handlers, behind the session feature's guard. */
export const makeHomeroom = async (house: House, wishes: Pick<AppParts, 'checkAnswers'> = {}): Promise<FastifyInstance> => {
  const app = await makeApp({ house, calls, routes, ...(await makeSession(house)), ...wishes })
  app.addHook('onClose', () => closeHrSource(house))
  return app
}
