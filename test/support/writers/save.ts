import type { ResponseOf, Call } from '../../../src/contract/call.ts'
import type { CallRequest } from '../../../src/platform/web/client.ts'
import type { KnownRecords } from './known-records.ts'

/** A history row that an acknowledged save must have left. */
export interface ExpectedChange {
  readonly table: string
  readonly action: 'insert' | 'update' | 'delete'
  /** The record, if the response contains it. */
  readonly record?: string
  /** Column values after it, or before it if the row was deleted. */
  readonly values: Record<string, unknown>
  /** The version in the response. */
  readonly version?: number
}

/** A pending save: what is sent, and what its response promises. */
export interface Save {
  readonly kind: string
  readonly call: Call
  readonly params?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly file?: Blob
  readonly version?: number | undefined
  /** The key of the version it expects, which is forgotten if the outcome is unknown. */
  readonly versionKey?: string
  /** Whether someone else's save has invalidated this one in the meantime, so that it may be refused. */
  readonly isOvertaken?: () => boolean
  readonly expectedChanges: (answer: unknown) => readonly ExpectedChange[]
}

/** Creates the next save of its kind, with a unique text; undefined if there is nothing to save right now. */
export type BuildSave = (records: KnownRecords, mark: string) => Save | undefined | Promise<Save | undefined>

/** A save with the types of its call. */
export const defineSave = <C extends Call>(
  kind: string,
  call: C,
  sent: Omit<CallRequest<C>, 'signal' | 'version'> & Pick<Save, 'versionKey' | 'isOvertaken'> & { readonly version?: number | undefined },
  kept: (answer: ResponseOf<C>) => readonly ExpectedChange[],
): Save => ({ kind, call, ...sent, expectedChanges: kept as Save['expectedChanges'] })

/** What was changed together in one transaction, in the terms of the history: anything else is an incomplete save. */
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
