import type { FastifyInstance } from 'fastify'

import { calls } from './calls.ts'
import { makeSession } from './features/access/session/session.server.ts'
import { addressMails } from './features/changing/requests/queries.server.ts'
import { closeHrSource } from './features/exchange/hr/source.server.ts'
import { keepDefects } from './features/operations/error-log/keeping.server.ts'
import { measuresOf } from './measures.server.ts'
import { type AppParts, makeApp } from './platform/server/app.ts'
import { DiskWatch } from './platform/server/disk.ts'
import type { House } from './platform/server/house.ts'
import { MailRoom } from './platform/server/mail/mail-room.ts'
import type { Patience } from './platform/server/mail/store.ts'
import { ReadyLists } from './platform/server/ready-lists.ts'
import { routes } from './routes.server.ts'
import { keepTidy } from './tidying.server.ts'

/** What is there before anything is furnished. */
type Foundation = Pick<House, 'configuration' | 'db' | 'pool' | 'log'>

/** A house on an open database; `patience` is how its mails wait for their next try, where not as usual. */
export const makeHouse = (foundation: Foundation, patience?: Patience): House => ({
  ...foundation,
  lists: new ReadyLists(foundation),
  mail: new MailRoom(foundation, patience),
  disk: new DiskWatch(foundation),
})

/** The whole server of a house: every feature's calls, answered by their handlers, behind the session feature's guard. */
export const makeHomeroom = async (house: House, wishes: Pick<AppParts, 'checkAnswers'> = {}): Promise<FastifyInstance> => {
  const { whoIs, mount } = await makeSession(house)
  return makeApp({
    house,
    calls,
    routes,
    whoIs,
    mount: async (app) => {
      await mount(app)
      keepTidy(app, house)
      app.addHook('onClose', () => closeHrSource(house))
    },
    onDefect: keepDefects(house),
    measures: measuresOf(house),
    ...wishes,
  })
}

/** Begins to send the mails of a house; where it only serves the web app, another server does. */
export const startMail = async (house: House): Promise<void> => {
  const { serve } = house.configuration
  if (serve.has('app') || serve.has('locations')) await house.mail.start(() => addressMails(house))
}
