import type { ResponseOf, Call } from '../../../src/contract/call.ts'
import type { CallRequest } from '../../../src/platform/web/client.ts'
import type { KnownRecords } from './known-records.ts'

/** One row of the history that a save which was acknowledged must have left behind. */
export interface ExpectedChange {
  readonly table: string
  readonly action: 'insert' | 'update' | 'delete'
  /** The record, where the answer names it. */
  readonly record?: string
  /** Columns and what they hold after it; before it, where it was deleted. */
  readonly values: Record<string, unknown>
  /** The version the answer told of. */
  readonly version?: number
}

/** A save on its way: what is sent, and what its answer promises. */
export interface Save {
  readonly kind: string
  readonly call: Call
  readonly params?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly file?: Blob
  readonly version?: number | undefined
  /** What version it counts on, forgotten where its outcome is not known. */
  readonly versionKey?: string
  /** Whether someone else’s save has in the meantime taken away what this one counts on, so that it may be refused. */
  readonly isOvertaken?: () => boolean
  readonly expectedChanges: (answer: unknown) => readonly ExpectedChange[]
}

/** Makes the next save of its kind, with a text in it that no other save has; undefined where there is nothing to save right now. */
export type BuildSave = (records: KnownRecords, mark: string) => Save | undefined | Promise<Save | undefined>

/** A save with its types held against the call's definition. */
export const defineSave = <C extends Call>(
  kind: string,
  call: C,
  sent: Omit<CallRequest<C>, 'signal' | 'version'> & Pick<Save, 'versionKey' | 'isOvertaken'> & { readonly version?: number | undefined },
  kept: (answer: ResponseOf<C>) => readonly ExpectedChange[],
): Save => ({ kind, call, ...sent, expectedChanges: kept as Save['expectedChanges'] })

/** What was changed together, one transaction each, in the words of the history: anything else is half of one of these. */
export const COMPLETE_SAVES: ReadonlySet<string> = new Set([
  'site update',
  'facility update',
  'enrollment update',
  'enrollment update, site_program_type insert',
  'enrollment update, site_program_type delete',
  'enrollment update, site_program_type delete, site_program_type insert',
  'enrollment insert, enrollment update, facility insert, site insert',
  'charter_affair update',
  'charter_affair insert, charter_affair update',
  'authorizer_board_member insert',
  'authorizer_board_member insert, charter_affair insert',
  'authorizer_board_member update',
  'authorizer_board_member delete',
  'site_person insert',
  'site_person delete',
  'person insert',
  'person update',
  'person update, site_person delete',
  'sis_site insert',
  'sis_site update',
  'sis_site delete',
  'charter insert',
  'charter update',
  'brand update',
  'request insert',
  'request update',
  'setting insert',
  'setting update',
])
