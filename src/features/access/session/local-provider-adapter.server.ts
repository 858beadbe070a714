import type { Adapter, AdapterPayload } from 'oidc-provider'

interface StoredPayload {
  readonly payload: AdapterPayload
  readonly expiresAt: number
}

const MAX_STORED = 20_000
const DEFAULT_LIFETIME_SECONDS = 43_200

/** Stores the sign-ins, codes and tokens of the local provider in memory until they expire or the server stops. */
export const createMemoryAdapter = (): ((model: string) => Adapter) => {
  const entries = new Map<string, StoredPayload>()

  const find = (key: string): AdapterPayload | undefined => {
    const entry = entries.get(key)
    if (entry && entry.expiresAt > Date.now()) return entry.payload
    entries.delete(key)
    return undefined
  }
  const store = (key: string, payload: AdapterPayload, seconds: number): void => {
    entries.delete(key)
    entries.set(key, { payload, expiresAt: Date.now() + seconds * 1000 })
    for (const oldest of entries.keys()) {
      if (entries.size <= MAX_STORED) break
      entries.delete(oldest)
    }
  }

  return (model) => {
    const toKey = (id: string): string => `${model} ${id}`
    const findWhere = async (matches: (payload: AdapterPayload) => boolean): Promise<AdapterPayload | undefined> => {
      for (const key of entries.keys()) {
        const payload = key.startsWith(`${model} `) ? find(key) : undefined
        if (payload && matches(payload)) return payload
      }
      return undefined
    }
    return {
      upsert: async (id, payload, expiresIn) => store(toKey(id), payload, expiresIn ?? DEFAULT_LIFETIME_SECONDS),
      find: async (id) => find(toKey(id)),
      findByUid: (uid) => findWhere((payload) => payload.uid === uid),
      findByUserCode: (userCode) => findWhere((payload) => payload.userCode === userCode),
      destroy: async (id) => void entries.delete(toKey(id)),
      consume: async (id) => {
        const payload = find(toKey(id))
        if (payload) payload.consumed = Math.floor(Date.now() / 1000)
      },
      revokeByGrantId: async (grantId) => {
        for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key)
      },
    }
  }
}
