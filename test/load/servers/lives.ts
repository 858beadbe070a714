import { setTimeout as pause } from 'node:timers/promises'

import { createFileForm, type SendRequest, sendSuccessfully } from '../../support/http-requests.ts'

/** A server of several on one database, with the session of one caller at level 1. */
export type CallServer = <T>(method: string, path: string, body?: unknown) => Promise<T>

export const callAs =
  (send: SendRequest, headers: Readonly<Record<string, string>>): CallServer =>
  (method, path, body) =>
    sendSuccessfully(send, method, path, { headers, body })

interface Person {
  readonly _id: string
  readonly name: string
  readonly version: number
}

const readPerson = (server: CallServer, _id: string) => server<Person>('GET', `/locations-api/people_sites_slug/${_id}`)
const isListed = async (server: CallServer, _id: string) =>
  (await server<Person[]>('GET', '/locations-api/people')).some((person) => person._id === _id)

/** Milliseconds until a condition holds; a failed request counts as not yet. */
const measureUntil = async (isTrue: () => Promise<boolean>, maxMs: number): Promise<number> => {
  const since = performance.now()
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() - since > maxMs) return Number.POSITIVE_INFINITY
    await pause(20)
  }
  return performance.now() - since
}

/**
 * Merges, undoes, archives, restores and erases people in turns at two servers. After each step the other server must show it: returns the
 * steps that it did not show within `maxMs`, and the longest time in milliseconds.
 */
export const followLives = async (first: CallServer, second: CallServer, rounds: number, maxMs: number) => {
  const missing: string[] = []
  let slowestMs = 0
  const expectShown = async (step: string, isShown: () => Promise<boolean>): Promise<void> => {
    const delayMs = await measureUntil(isShown, maxMs)
    if (delayMs === Number.POSITIVE_INFINITY) missing.push(step)
    else slowestMs = Math.max(slowestMs, delayMs)
  }
  for (let round = 0; round < rounds; round++) {
    const [here, there] = round % 2 === 0 ? [first, second] : [second, first]
    const create = (email: string) =>
      here<Person>('POST', '/locations-api/people', { name: `Wilhelmina Ostrow ${round}`, email: `${email}.${round}@school.example` })
    const [keep, merge] = [await create('w.ostrow'), await create('ostrow')]
    await expectShown('new people', async () => (await isListed(there, keep._id)) && isListed(there, merge._id))
    const pair = { kind: 'person', keep: keep._id, merge: merge._id, values: {} }
    const merged = await there<{ changeset: { _id: string } }>('POST', '/api/merges', {
      ...pair,
      version: keep.version,
      mergedVersion: merge.version,
    })
    await expectShown('a merge: the other address leads to the record that stays', async () =>
      readPerson(here, merge._id).then(({ _id }) => _id === keep._id),
    )
    await here('POST', `/api/changesets/${merged.changeset._id}/undo`, {})
    await expectShown('an undone merge', async () => readPerson(there, merge._id).then(({ _id }) => _id === merge._id))
    await there('POST', '/api/archive', { kind: 'person', _id: merge._id, reason: 'Added by mistake' })
    await expectShown('an archived record', async () => !(await isListed(here, merge._id)))
    await here('DELETE', `/api/archive/person/${merge._id}`)
    await expectShown('a restored record', async () => isListed(there, merge._id))
    await there('POST', '/api/erase', { kind: 'person', _id: keep._id, reason: 'Asked for it' })
    await expectShown('an erased person', async () => /^Erased person \d+$/.test((await readPerson(here, keep._id)).name))
    await expectShown('an erased person, in the search', async () => {
      const found = await here<object>('GET', `/api/search?q=${encodeURIComponent(keep.name)}`)
      return !JSON.stringify(found).includes(keep._id)
    })
  }
  return { missing, slowestMs }
}

/** Reads a past day at both servers; returns the addresses whose answers differ. */
export const comparePastDay = async (first: CallServer, second: CallServer, on: string): Promise<string[]> => {
  const different: string[] = []
  for (const path of ['/locations-api/people', '/locations-api/sites_pop', '/locations-api/charters_pop']) {
    const answers = await Promise.all([first, second].map((server) => server<object>('GET', `${path}?on=${on}`)))
    if (JSON.stringify(answers[0]) !== JSON.stringify(answers[1])) different.push(path)
  }
  return different
}

/** Orders a dossier at one server, downloads it from the other, and lets the first one verify it: its answer. */
export const verifyDossierOfOther = async (
  first: CallServer,
  second: CallServer,
  download: (path: string) => Promise<Buffer>,
  charter: string,
): Promise<string> => {
  const { _id } = await first<{ _id: string }>('POST', '/api/dossiers', { charter })
  await measureUntil(async () => (await second<{ state: string }>('GET', `/api/dossiers/${_id}`)).state === 'done', 120_000)
  const form = createFileForm(new File([new Uint8Array(await download(`/api/dossiers/${_id}/pdf`))], 'dossier.pdf'))
  return (await first<{ result: string }>('POST', '/api/verify', form)).result
}
