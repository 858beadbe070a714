import type { Pool } from 'pg'

import { can } from '../../../contract/capabilities.ts'
import type { AppContext } from '../../../platform/server/app-context.ts'
import { CompleteHistory, MOMENT_COLUMNS, type MomentRow } from '../../../platform/server/change-poll.ts'
import { areSessionsChanged, readLevels } from '../../access/session/queries.server.ts'
import type { LiveEvents } from './contract.ts'
import {
  findReadCapability,
  type HistoryRow,
  listKinds,
  listTablesWithoutHistory,
  type RecordChange,
  toReadable,
  toRecordChanges,
} from './events.server.ts'
import { type OpenForm, OpenForms } from './open-forms.server.ts'
import { LiveStreams, type Stream } from './streams.server.ts'

/** Rows of the history that are sent one by one; of more, as in an import, only the kinds of records are named. */
const MAX_ROWS = 200
/** Changes that come together are read together. */
const GATHER_MS = 50
/** The pause between two reads: an import notifies with every record. */
const PAUSE_MS = 250
/** How often it is checked that sessions still live: they also end by time. */
const CHECK_MS = 30_000
/** Longer than a request takes until its stream is open. */
const RECENT_MS = 5000
/** Longer than any server runs. */
const ANY_AGE_SECONDS = 1e9
/** How many numbers before the last one are known at the start, for changes that had their number but were not committed. */
const RECHECKED = 1000

const READ = `
  select ${MOMENT_COLUMNS},
    (select jsonb_agg(to_jsonb(r) order by r._id) from (
      select _id, at, "table", record, parent, action, actor, "actorName", before, after
      from change where _id > $1 and _id <> all($2) order by _id limit ${MAX_ROWS + 1}) as r) as rows
  from pg_current_snapshot() as s`
const READ_SINCE = `
  select _id, at, "table", record, parent, action, actor, "actorName", before, after
  from change where _id > $1 and at > now() - make_interval(secs => $2) order by _id limit ${MAX_ROWS + 1}`
const READ_NUMBERS = `select ${MOMENT_COLUMNS}, (select array_agg(_id order by _id) from change where _id > $1) as numbers,
    (select array_agg(distinct "table") from change where _id > $1 and _id <> all($2)) as tables
  from pg_current_snapshot() as s`

interface Position {
  readonly history: CompleteHistory
  last: number
  /** The last number up to which everything was sent. */
  complete: number
  /** Later numbers that were sent too. */
  sent: Set<number>
}

export const formatEvent = <Name extends keyof LiveEvents>(event: Name, data: LiveEvents[Name], _id?: number): string =>
  `${_id === undefined ? '' : `id: ${_id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Where a client begins: after an event that it has got, or some seconds ago. */
export interface StreamStart {
  readonly lastEvent: number | undefined
  readonly ageSeconds: number | undefined
}

/** Sends the changes of the history to the streams of this server, and ends the streams of sessions that have ended or have another level. */
export class LiveFeed {
  readonly streams = new LiveStreams()
  readonly forms: OpenForms
  readonly #context: AppContext
  readonly #pool: Pool
  #position: Promise<Position> | undefined
  #timer: NodeJS.Timeout | undefined
  #isReading = false
  #isDue = false
  #areSessionsDue = false
  #sessionsChangedAt = -Infinity
  readonly #check: NodeJS.Timeout

  constructor(context: AppContext) {
    this.#context = context
    this.#pool = context.pool
    this.forms = new OpenForms(context.now, (changed) => this.#sendEditors(changed))
    context.lists.onChange((tables, lines) => {
      this.forms.apply(lines)
      this.#sendKinds(this.streams, tables)
      if (areSessionsChanged(tables)) {
        this.#areSessionsDue = true
        this.#sessionsChangedAt = performance.now()
      }
      this.#readSoon(GATHER_MS)
    })
    // A row may have been committed after the notification that caused it to be read.
    context.readModel.onChange(() => this.#readSoon(GATHER_MS))
    this.#check = setInterval(() => {
      this.#areSessionsDue = true
      this.#readSoon(0)
    }, CHECK_MS).unref()
  }

  close(): void {
    clearInterval(this.#check)
    clearTimeout(this.#timer)
    this.forms.close()
    this.streams.close()
  }

  /** Begins a stream: sends what was missed, then where it is. Changes may be sent twice, and none is left out. */
  async begin(stream: Stream, { lastEvent, ageSeconds }: StreamStart, open: () => void): Promise<void> {
    const { complete, last } = await this.#getPosition()
    this.streams.add(stream)
    open()
    // It may have been authorized before the change, and come too late for the check.
    if (performance.now() - this.#sessionsChangedAt < RECENT_MS) {
      this.#areSessionsDue = true
      this.#readSoon(GATHER_MS)
    }
    const isKnown = lastEvent !== undefined && lastEvent <= last
    if (lastEvent !== undefined && !isKnown) this.streams.send(stream, formatEvent('reset', {}))
    else if (isKnown ? lastEvent < last : ageSeconds !== undefined) {
      const since = isKnown ? [lastEvent, ANY_AGE_SECONDS] : [Math.max(0, last - RECHECKED), ageSeconds]
      const { rows } = await this.#pool.query<HistoryRow>(READ_SINCE, since)
      if (rows.length > MAX_ROWS) this.streams.send(stream, formatEvent('reset', {}))
      else this.#sendChanges([stream], this.#toChanges(rows))
    }
    if (isKnown) this.#sendKinds([stream], 'any')
    this.streams.send(stream, formatEvent('open', {}, complete))
  }

  /** The position, which is forgotten while there is no stream. */
  async #getPosition(): Promise<Position> {
    for (;;) {
      const current = (this.#position ??= this.#readPosition())
      const position = await current
      if (current === this.#position) return position
    }
  }

  /** What is visible now counts as sent. */
  async #readPosition(): Promise<Position> {
    try {
      const { rows } = await this.#pool.query<MomentRow>(`select ${MOMENT_COLUMNS} from pg_current_snapshot() as s`)
      const start = Math.max(0, (rows[0]?.last ?? 0) - RECHECKED)
      const known = await this.#pool.query<MomentRow & { numbers: number[] | null }>(READ_NUMBERS, [start, []])
      const [row] = known.rows
      if (!row) throw new Error('PostgreSQL has answered nothing')
      const history = new CompleteHistory(start)
      return { history, last: row.last, complete: history.advance(row), sent: new Set(row.numbers) }
    } catch (error) {
      this.#position = undefined
      throw error
    }
  }

  #readSoon(delayMs: number): void {
    this.#isDue = true
    if (this.#isReading) return
    if (this.streams.size === 0) {
      this.#position = undefined
      return
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#read()
    }, delayMs).unref()
  }

  async #read(): Promise<void> {
    this.#isReading = true
    this.#isDue = false
    try {
      if (this.#areSessionsDue) await this.#checkSessions()
      await this.#readChanges()
    } catch (error) {
      // The database is unavailable: what was missed is read once its notifications are received again.
      this.#context.log.debug({ err: error }, 'Changes could not be sent to open pages')
    }
    this.#isReading = false
    if (this.streams.size === 0) this.#position = undefined
    else if (this.#isDue) this.#readSoon(PAUSE_MS)
  }

  /** Ends the streams whose session has ended, or whose level is another one; all of them if that cannot be known. */
  async #checkSessions(): Promise<void> {
    this.#areSessionsDue = false
    // Those that begin in the meantime have just been authorized.
    const streams = [...this.streams]
    const credentials = [...new Set(streams.map(({ credential }) => credential))]
    const { db, configuration } = this.#context
    const levels = await readLevels(db, configuration, credentials).catch(() => new Map<string, number>())
    for (const stream of streams) if (levels.get(stream.credential) !== stream.level) this.streams.end(stream)
  }

  async #readChanges(): Promise<void> {
    const position = await this.#position
    if (!position || this.streams.size === 0) return
    const values = [position.complete, [...position.sent]]
    const { rows: found } = await this.#pool.query<MomentRow & { rows: HistoryRow[] | null }>({ name: 'live changes', text: READ, values })
    const [row] = found
    const rows = row?.rows ?? []
    if (rows.length > MAX_ROWS) return this.#sendMany(position)
    if (!row) return
    this.#advance(position, row, [...position.sent, ...rows.map(({ _id }) => _id)])
    this.#sendChanges(this.streams, this.#toChanges(rows), position.complete)
  }

  #advance(position: Position, row: MomentRow, sent: readonly number[]): void {
    position.last = row.last
    position.complete = position.history.advance(row)
    position.sent = new Set(sent.filter((_id) => _id > position.complete))
  }

  async #sendMany(position: Position): Promise<void> {
    const { rows } = await this.#pool.query<MomentRow & { numbers: number[] | null; tables: string[] | null }>(READ_NUMBERS, [
      position.complete,
      [...position.sent],
    ])
    const [row] = rows
    if (!row) return
    this.#advance(position, row, row.numbers ?? [])
    for (const stream of this.streams) {
      const readable = (row.tables ?? []).filter((table) => {
        const capability = findReadCapability(table)
        return capability !== undefined && can(stream.level, capability)
      })
      const kinds = [...new Set(readable.flatMap(listKinds))]
      if (kinds.length > 0) this.streams.send(stream, formatEvent('many', { kinds }, position.complete))
    }
  }

  /** Permission records of other applications are not ours to show. */
  #toChanges(rows: readonly HistoryRow[]): RecordChange[] {
    const { appId } = this.#context.configuration
    return rows
      .filter(({ table, before, after }) => table !== 'permission' || (after ?? before)?.['applicationID'] === appId)
      .flatMap(toRecordChanges)
  }

  /** Streams that may read the same get the same text. */
  #sendChanges(streams: Iterable<Stream>, all: readonly RecordChange[], _id?: number): void {
    if (all.length === 0) return
    const named = new Set(all.flatMap(({ actor, reader }) => [actor, reader]))
    const texts = new Map<string, string>()
    for (const stream of streams) {
      const key = `${stream.level} ${named.has(stream.account) ? stream.account : ''}`
      let text = texts.get(key)
      if (text === undefined) {
        const changes = all.flatMap((change) => toReadable(change, stream) ?? [])
        text = changes.length === 0 ? '' : formatEvent('changes', { changes }, _id)
        texts.set(key, text)
      }
      if (text !== '') this.streams.send(stream, text)
    }
  }

  #sendKinds(streams: Iterable<Stream>, tables: ReadonlySet<string> | 'any'): void {
    for (const stream of streams) {
      const kinds = listTablesWithoutHistory(tables, stream.level)
      if (kinds.length > 0) this.streams.send(stream, formatEvent('kinds', { kinds }))
    }
  }

  /** Tells the others who have a form of the same records open, or asks everyone with an open form to announce it again. */
  #sendEditors(changed: readonly OpenForm[] | 'announce'): void {
    for (const stream of this.streams) {
      const forms = this.forms.listFormsOf(stream.account)
      if (changed === 'announce') {
        if (forms.length > 0) this.streams.send(stream, formatEvent('announce', {}))
        continue
      }
      for (const { form, record } of forms)
        if (changed.some((other) => other.record === record && other.account !== stream.account))
          this.streams.send(stream, formatEvent('editors', { form, editors: this.forms.listEditors(record, stream.account) }))
    }
  }
}

const feeds = new WeakMap<AppContext, LiveFeed>()

/** The feed of a server, from its first use on. */
export const getLiveFeed = (context: AppContext): LiveFeed => {
  const feed = feeds.get(context) ?? new LiveFeed(context)
  feeds.set(context, feed)
  return feed
}
