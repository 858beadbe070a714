import { randomUUID } from 'node:crypto'

import type { TestTarget } from './credentials.ts'

/** A dossier that is done, with files of a few bytes. */
export const makeDossier = async ({
  context: { db },
  charter,
}: TestTarget & { readonly charter: { readonly _id: string; readonly name: string } }): Promise<string> => {
  const values = {
    by: 'Someone',
    charter: charter._id,
    name: charter.name,
    on: '2026-11-01',
    from: '2026-01-01',
    to: '2026-11-01',
    parts: ['terms'],
  }
  const { _id } = await db
    .insertInto('dossier')
    .values({ ...values, state: 'done', madeAt: new Date() })
    .returning('_id')
    .executeTakeFirstOrThrow()
  for (const kind of ['pdf', 'zip'] as const)
    await db
      .insertInto('dossier_file')
      .values({ dossier: _id, kind, sha256: randomUUID(), size: 4, bytes: Buffer.from('test') })
      .execute()
  return _id
}
