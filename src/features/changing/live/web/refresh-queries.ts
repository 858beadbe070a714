import type { Query, QueryClient } from '@tanstack/react-query'

import type { LiveChange } from '../contract.ts'
import { watchFacts } from './mark-changes.ts'

/** Changes that have not been read again yet. */
interface News {
  readonly changes: readonly LiveChange[]
  readonly kinds: readonly string[]
  /** Whether more records of these kinds changed than are named, so that any page may show one. */
  readonly isMany: boolean
  readonly isEverything: boolean
}
const NOTHING: News = { changes: [], kinds: [], isMany: false, isEverything: false }

/** Changes that come together are read together; browsers do not ask at the same moment. */
const FIRST_MS = 100
const SPREAD_MS = 300
const RECORD_PAUSE_MS = 1000
/** While very many records change, as during an import, lists are read more and more seldom. */
const MAX_LIST_PAUSE_MS = 8000
const MANY_CHANGES = 50

const listShown = ({ meta }: Query): readonly string[] | undefined => meta?.['shows'] as readonly string[] | undefined

/** Whether a response shows what has changed: a list that shows records of a kind, or a response that names the record. */
const isConcerned = (query: Query, { changes, kinds, isMany, isEverything }: News): boolean => {
  const shown = listShown(query)
  if (shown) return (isEverything && shown.length > 0) || kinds.some((kind) => shown.includes(kind))
  if (isEverything || isMany) return true
  return listNamed(query, changes).length > 0
}

/** The changes of records that a response names. */
const listNamed = ({ queryKey, state }: Query, changes: readonly LiveChange[]): LiveChange[] => {
  const text = JSON.stringify([queryKey, state.data])
  return changes.filter(({ _id }) => text.includes(_id))
}

const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))

/** Reads again what shows a change, marks it on the page, and says whose changes became visible. */
export const createRefresher = (client: QueryClient, onShown: (by: readonly (string | null)[]) => void) => {
  let news = NOTHING
  /** The same for lists, which wait longer. */
  let listNews = NOTHING
  let timer: ReturnType<typeof setTimeout> | undefined
  let listsAt = 0
  let listPauseMs = RECORD_PAUSE_MS
  let readAt = 0

  const add = (before: News, more: News): News => ({
    changes: [...before.changes, ...more.changes],
    kinds: [...new Set([...before.kinds, ...more.kinds])],
    isMany: before.isMany || more.isMany,
    isEverything: before.isEverything || more.isEverything,
  })

  const refresh = async (about: News, isOfLists: boolean): Promise<void> => {
    const isHidden = document.visibilityState === 'hidden'
    const unsubscribe = client.getQueryCache().subscribe(({ type, query, ...more }) => {
      const isRead = type === 'updated' && 'action' in more && more.action.type === 'success'
      if (!isRead || !query.isActive() || !isConcerned(query, about)) return
      // The response is there, and the page does not show it yet.
      const by = [...new Set(listNamed(query, about.changes).map((change) => change.by))]
      const markFacts = watchFacts()
      const markLater = async (): Promise<void> => {
        await nextFrame()
        await nextFrame()
        if (markFacts() > 0) onShown(by)
      }
      void markLater()
    })
    // A hidden page reads again what it needs when it is shown.
    await client
      .invalidateQueries({
        predicate: (query) => (listShown(query) !== undefined) === isOfLists && isConcerned(query, about),
        refetchType: isHidden ? 'none' : 'active',
      })
      .finally(unsubscribe)
  }

  const run = (): void => {
    timer = undefined
    const now = Date.now()
    readAt = now
    const about = news
    news = NOTHING
    if (about !== NOTHING) void refresh(about, false)
    if (now - listsAt >= listPauseMs && listNews !== NOTHING) {
      const isMuch = listNews.isMany || listNews.changes.length > MANY_CHANGES
      listPauseMs = isMuch ? Math.min(2 * listPauseMs, MAX_LIST_PAUSE_MS) : RECORD_PAUSE_MS
      listsAt = now
      const aboutLists = listNews
      listNews = NOTHING
      void refresh(aboutLists, true)
    }
    if (listNews !== NOTHING) schedule()
  }
  const schedule = (): void => {
    const pause = Math.max(0, readAt + RECORD_PAUSE_MS - Date.now())
    timer ??= setTimeout(run, Math.max(FIRST_MS + Math.random() * SPREAD_MS, pause))
  }

  return {
    add: (more: Partial<News>): void => {
      const whole = { ...NOTHING, ...more, kinds: [...(more.kinds ?? []), ...(more.changes ?? []).map(({ kind }) => kind)] }
      news = add(news, whole)
      listNews = add(listNews, whole)
      schedule()
    },
    stop: () => clearTimeout(timer),
  }
}
