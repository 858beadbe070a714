import { readKnownValues } from '../../support/read-paths.ts'
import { signInAt } from '../../support/sessions.ts'
import { createChangeFinder } from '../table-changes.ts'
import type { TestTarget } from './credentials.ts'

/** A network with a record of every kind. */
export type TestNetwork = Awaited<ReturnType<typeof createTestNetwork>>

export const createTestNetwork = async (target: TestTarget) => {
  const { context, make } = target
  const owner = await signInAt(context, 1)
  const { principal: person, ...records } = await make.network({ websiteUrl: 'https://a.example', EnrollmentsUrl: 'https://b.example' })
  const affair = await make.affair({ charter: records.charter._id })
  const known = await readKnownValues(context.db)
  return { ...target, ...records, owner, person, affair, known, findChanges: await createChangeFinder(context) }
}
