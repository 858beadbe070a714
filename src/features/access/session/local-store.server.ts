import type { Adapter, AdapterPayload } from 'oidc-provider'

interface Kept {
  readonly payload: AdapterPayload
  readonly until: number
}

const MOST_KEPT = 20_000
const LONGEST = 43_200

/** What the local provider remembers (its sign-ins, codes and tokens): in memory, forgotten when it expires or the server stops. */
export const makeLocalStore = (): ((model: string) => Adapter) => {
  const kept = new Map<string, Kept>()

  const find = (key: string): AdapterPayload | undefined => {
    const found = kept.get(key)
    if (found && found.until > Date.now()) return found.payload
    kept.delete(key)
    return undefined
  }
  const keep = (key: string, payload: AdapterPayload, seconds: number): void => {
    kept.delete(key)
    kept.set(key, { payload, until: Date.now() + seconds * 1000 })
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break
      kept.delete(oldest)
    }
  }

  return (model) => {
    const keyOf = (id: string): string => `${model} ${id}`
    const findBy = async (test: (payload: AdapterPayload) => boolean): Promise<AdapterPayload | undefined> => {
      for (const key of kept.keys()) {
        const payload = key.startsWith(`${model} `) ? find(key) : undefined
        if (payload && test(payload)) return payload
      }
      return undefined
    }
    return {
      upsert: async (id, payload, expiresIn) => keep(keyOf(id), payload, expiresIn ?? LONGEST),
      find: async (id) => find(keyOf(id)),
      findByUid: (uid) => findBy((payload) => payload.uid === uid),
      findByUserCode: (userCode) => findBy((payload) => payload.userCode === userCode),
      destroy: async (id) => void kept.delete(keyOf(id)),
      consume: async (id) => {
        const payload = find(keyOf(id))
        if (payload) payload.consumed = Math.floor(Date.now() / 1000)
      },
      revokeByGrantId: async (grantId) => {
        for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key)
      },
    }
  }
}
