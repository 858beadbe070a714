import type pg from 'pg'

/** An update of one row, from the history. */
export interface RecordUpdate {
  readonly table: string
  readonly record: string
  readonly version: number
}

interface PollRow extends MomentRow {
  readonly updates: readonly RecordUpdate[] | null
}

/** A point in the history: transactions that had begun by then add no numbers after `last`. */
interface Moment {
  readonly last: number
  /** The first transaction that began later. */
  readonly next: number
}

/** The columns of `Moment`, and the oldest running transaction; `from pg_current_snapshot() as s`. */
export const MOMENT_COLUMNS = `(select coalesce(max(_id), 0) from change) as last,
  pg_snapshot_xmin(s)::text::bigint as oldest, pg_snapshot_xmax(s)::text::bigint as next`
export type MomentRow = Moment & { readonly oldest: number }

/**
 * Finds the last history number up to which the history is certain to be complete. Rows are not committed in number order, so a moment counts once
 * every transaction that had begun by then has ended.
 */
export class CompleteHistory {
  #moments: Moment[] = []
  #last: number

  constructor(last = 0) {
    this.#last = last
  }

  /** Adds a new moment and returns the last complete number. */
  advance({ last, oldest, next }: MomentRow): number {
    this.#moments.push({ last, next })
    const complete = this.#moments.findLast((moment) => moment.next <= oldest)
    if (complete) this.#last = Math.max(this.#last, complete.last)
    this.#moments = this.#moments.filter((moment) => moment.next > oldest)
    return this.#last
  }
}

// Imports have no request; they send notifications.
const POLL = `
  select ${MOMENT_COLUMNS},
    (select jsonb_agg(jsonb_build_object('table', "table", 'record', record, 'version', after -> 'version') order by _id)
     from change where _id > $1 and action = 'update' and request is not null) as updates
  from pg_current_snapshot() as s`

/** How many numbers before the first call are read again, for updates that already had their number but were not committed. */
const RECHECKED = 1000

/**
 * Reads the updates that single statements write without a notification (direct-update.ts). Rows of the history are not committed in number order, so
 * those after the last number that is certain to be complete are read again each time.
 */
export class ChangePoll {
  readonly #pool: pg.Pool
  #history: CompleteHistory | undefined
  #complete = 0

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  /** The updates since the last call, and some older ones; none on the first call. */
  async read(): Promise<readonly RecordUpdate[]> {
    const values = [this.#history ? this.#complete : Number.MAX_SAFE_INTEGER]
    const { rows } = await this.#pool.query<PollRow>({ name: 'change poll', text: POLL, values })
    const [row] = rows
    if (!row) return []
    this.#history ??= new CompleteHistory(Math.max(0, row.last - RECHECKED))
    this.#complete = this.#history.advance(row)
    return row.updates ?? []
  }
}
