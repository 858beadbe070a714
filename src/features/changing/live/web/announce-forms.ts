import { Problem } from '../../../../contract/problem.ts'
import { send } from '../../../../platform/web/client.ts'
import { editorsOfForms, openForms } from '../../../../platform/web/live.ts'
import { announceForm, leaveForm } from '../contract.ts'
import { ANNOUNCE_MS } from '../rules.ts'

/** Someone who does nothing for this long is no longer editing, whatever is open. */
const INACTIVE_MS = 10 * 60_000
/** A record that is gone, or that the user may no longer edit. */
const REFUSALS = new Set([403, 404])
const INPUTS = ['pointerdown', 'keydown', 'focus'] as const

interface AnnouncedForm {
  /** Its key at the server, which no one can guess. */
  readonly form: string
  at: number
}

/** Tells the server which forms are open in this tab, and learns who else has them open. */
export const announceForms = () => {
  const known = new Map<string, AnnouncedForm>()
  const ending = new AbortController()
  let activeAt = Date.now()
  for (const name of INPUTS)
    window.addEventListener(name, () => void (activeAt = Date.now()), { passive: true, capture: true, signal: ending.signal })

  const setEditors = (key: string, editors: readonly string[]): void => {
    if (openForms.get().has(key)) editorsOfForms.set(new Map([...editorsOfForms.get(), [key, editors]]))
  }
  const announce = async (key: string, own: AnnouncedForm): Promise<void> => {
    const record = openForms.get().get(key)
    if (!record) return
    own.at = Date.now()
    const { kind, _id } = record
    const { editors } = await send(announceForm, { params: { form: own.form }, body: { kind, _id } })
    if (known.get(key) === own) setEditors(key, editors)
  }
  const leave = ({ form }: AnnouncedForm): void => void send(leaveForm, { params: { form }, keepalive: true }).catch(() => {})
  /** Announces what was not announced lately. What fails is tried again with the next announcement, unless the server refuses it. */
  const announceAll = (olderThanMs: number): void => {
    if (Date.now() - activeAt > INACTIVE_MS) return
    for (const [key, own] of known)
      if (Date.now() - own.at >= olderThanMs)
        void announce(key, own).catch((error: unknown) => {
          if (error instanceof Problem && REFUSALS.has(error.status)) own.at = Number.POSITIVE_INFINITY
        })
  }

  const update = (): void => {
    const now = openForms.get()
    for (const [key, own] of known)
      if (!now.has(key)) {
        known.delete(key)
        leave(own)
      }
    for (const key of now.keys()) if (!known.has(key)) known.set(key, { form: crypto.randomUUID(), at: 0 })
    announceAll(ANNOUNCE_MS)
  }
  const unsubscribe = openForms.subscribe(update)
  update()
  const timer = setInterval(() => announceAll(ANNOUNCE_MS - 500), ANNOUNCE_MS)
  window.addEventListener('pagehide', () => known.forEach(leave), { signal: ending.signal })
  return {
    /** The timers of a hidden tab may run once a minute, so the server asks. */
    announce: () => announceAll(ANNOUNCE_MS - 1000),
    /** Others have come or gone. */
    setEditors: (form: string, editors: readonly string[]): void => {
      for (const [key, own] of known) if (own.form === form) setEditors(key, editors)
    },
    stop: () => {
      unsubscribe()
      clearInterval(timer)
      ending.abort()
      for (const own of known.values()) leave(own)
    },
  }
}
