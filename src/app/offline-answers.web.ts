import { readUser } from '../features/access/session/contract.ts'
import { readTables } from '../platform/web/offline-storage.ts'
import { type AnswerOffline, getCopy, onCopyChange } from '../platform/web/offline.ts'
import { createOfflineReads, type OfflineReads } from './offline-reads.server.ts'

/** The copy in memory, and which state of it. */
let loaded: { readonly since: string; readonly reads: Promise<OfflineReads> } | undefined
onCopyChange(() => {
  if (getCopy() === null) loaded = undefined
})

/** Answers a call from the copy of the directory on this device. */
export const answerFromDevice: AnswerOffline = async (call, inputs) => {
  const copy = getCopy()
  if (copy === null) return undefined
  if (call === readUser) return { answer: copy.user }
  if (loaded?.since !== copy.since) {
    const reads = readTables().then((tables) => createOfflineReads(tables, copy.user.accessLevel))
    loaded = { since: copy.since, reads }
  }
  return (await loaded.reads)(call, inputs)
}
