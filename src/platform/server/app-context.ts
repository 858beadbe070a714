import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from 'pg'

import type { EditableKind } from '../../contract/records.ts'
import type { Db, Tx } from '../../database/connection.server.ts'
import type { Configuration } from './configuration.ts'
import type { DiskWatch } from './disk.ts'
import type { Importer } from './importer.ts'
import type { ListCache } from './list-cache.ts'
import type { MailQueue } from './mail/queue.ts'
import type { Organization } from './organization.ts'
import type { ReadModel } from './read-model/read-model.ts'
import type { RecordCache } from './record-cache.ts'
import type { EditableRecordKind, RecordKinds, RecordPart } from './record-editor.ts'
import type { SaveQueue } from './save-queue.ts'
import type { Semaphore } from './semaphore.ts'

/** Dependencies shared by all handlers: created once at startup and passed down, never global. */
export interface AppContext {
  readonly configuration: Configuration
  readonly db: Db
  readonly pool: Pool
  /** The records that everyone signed in may read. */
  readonly readModel: ReadModel
  readonly lists: ListCache
  /** The context for a past day, at its end. Throws 422 for a day in the future, or before the history. */
  readonly asOf: (day: string) => Promise<AppContext>
  /** In the context of a past day: the moment at which it ended. */
  readonly before?: Date
  readonly records: RecordCache
  /** The record kinds that have a form, and how each is edited. */
  readonly kinds: RecordKinds
  /** Reads and writes files of other programs. */
  readonly importer: Importer
  /** What planned changes may hold besides fields, by kind of record. */
  readonly plans: Readonly<Partial<Record<string, KindPlans>>>
  /**
   * The `_id`s of the records that a list shows, in order, for a request of its download. Throws 422 for unknown lists, records and filters, with the
   * paths of the request.
   */
  readonly listRecordIds: (context: AppContext, request: object) => Promise<string[]>
  /** Employees in the HR source; none if it is down or slow. */
  readonly findEmployees: (context: AppContext, text: string) => Promise<readonly Employee[]>
  /** Limits concurrent transactions of saves. */
  readonly saveSlots: Semaphore
  /** Writes saves of single rows, several at a time. */
  readonly saves: SaveQueue
  readonly log: FastifyBaseLogger
  /** The current time; tests replace it. */
  readonly now: () => Date
  /** Stores mails and, once started, sends them. */
  readonly mail: MailQueue
  /** The name, logo and states of the organization, from the settings. */
  readonly organization: Organization
  /** Monitors the free disk space. */
  readonly disk: DiskWatch
}

/** Planned changes of a kind of record that are more than new values of fields. */
export interface KindPlans {
  /** Parts that only planned changes hold. They are saved for the person who planned them; without one they are only shown. */
  readonly getParts?: (context: AppContext, planner: SignedIn | null) => readonly RecordPart[]
  readonly references?: EditableRecordKind['references']
  /** A field of the record that is undone with all that was saved with it, instead of restoring its value. */
  readonly undo?: { readonly field: string; readonly run: (tx: Tx, context: AppContext, user: SignedIn, key: string) => Promise<void> }
  /** The records of another kind whose planned changes change this record too, and the fields that do. */
  readonly findElsewhere?: (
    model: ReadModel,
    key: string,
  ) => { readonly kind: EditableKind; readonly records: readonly string[]; readonly isAbout: (path: string) => boolean }
}

/** Someone in the HR source. */
export interface Employee {
  readonly PersonID: string
  readonly FirstName: string | null
  readonly LastName: string | null
  readonly EmailAddress: string | null
  readonly Hris_EmailAddress?: string | null
  readonly Title: string | null
  readonly Department: string | null
}

/** Someone with a live session or API token, at the level that their permission record (and the token) grants right now. */
export interface SignedIn {
  readonly account: string
  /** The browser session; null for a program that uses an API token. */
  readonly session: string | null
  /** The name of the API token; null in a browser. */
  readonly token: string | null
  readonly name: string
  /** The work email address. */
  readonly azureID: string
  readonly accessLevel: number
}

/** Runs a write in one transaction with the actor set for the history; `ifMatchVersion` is the version in `If-Match`, if one was sent. */
export type RunEdit = <T>(write: (tx: Tx, ifMatchVersion: number | undefined) => Promise<T>) => Promise<T>
