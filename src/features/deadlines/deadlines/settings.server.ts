import { sql } from 'kysely'

import { DEADLINE_KINDS, type DeadlineKind, KIND_NAMES } from '../../../contract/deadlines.ts'
import { type FieldError, invalidFields } from '../../../contract/problem.ts'
import type { Queryable, Tx } from '../../../database/connection.server.ts'
import { assertVersion } from '../../../database/update-record.server.ts'
import type { ReadModel } from '../../../platform/server/read-model/read-model.ts'
import { sortByTexts, toMoment, toRegionReference } from '../../../platform/server/read-model/references.ts'
import type { DeadlineSettings, DeadlineSettingsChange, KindSettings } from './contract.ts'

export const DEADLINE_SETTINGS = 'deadlines'

/** The settings for a kind of deadlines. */
export interface StoredKindSettings {
  readonly leadDays?: readonly number[]
  /** Since when the lead times have been set: earlier days are not missed reminders. */
  readonly leadDaysSince?: string
  readonly responsible?: string | null
  /** The `_id` of the responsible person by region. */
  readonly regions?: Readonly<Record<string, string>>
}
type StoredKinds = Readonly<Partial<Record<DeadlineKind, StoredKindSettings>>>

export interface StoredDeadlineSettings {
  readonly kinds: StoredKinds
  readonly version: number
  readonly updatedAt: string | null
  readonly updatedBy: string | null
}
export const DEFAULT_SETTINGS: StoredDeadlineSettings = { kinds: {}, version: 0, updatedAt: null, updatedBy: null }

export const readStoredDeadlineSettings = async (db: Queryable): Promise<StoredDeadlineSettings> => {
  const { rows } = await sql<{
    value: Pick<StoredDeadlineSettings, 'kinds'>
    version: number
    updatedAt: string
    updatedBy: string | null
  }>`
    select value, version, to_jsonb("updatedAt") #>> '{}' as "updatedAt", "updatedBy" from setting where name = ${DEADLINE_SETTINGS}`.execute(
    db,
  )
  const [row] = rows
  return row ? { ...row.value, version: row.version, updatedAt: row.updatedAt, updatedBy: row.updatedBy } : DEFAULT_SETTINGS
}

export const getLeadDays = (kinds: StoredKinds, kind: DeadlineKind): readonly number[] =>
  kinds[kind]?.leadDays ?? DEADLINE_KINDS[kind].leadDays

const toNamed = (model: ReadModel, person: string | null | undefined): KindSettings['responsible'] => {
  const known = model.table('person').get(person ?? null)
  return known && known.leftAt === null ? { _id: known._id, name: known.name } : null
}

export const toDeadlineSettings = (
  model: ReadModel,
  { kinds, version, updatedAt, updatedBy }: StoredDeadlineSettings,
): DeadlineSettings => ({
  kinds: KIND_NAMES.map((kind) => ({
    kind,
    leadDays: [...getLeadDays(kinds, kind)],
    responsible: toNamed(model, kinds[kind]?.responsible),
    regions: sortByTexts(
      Object.entries(kinds[kind]?.regions ?? {}).flatMap(([_id, person]) => {
        const region = model.table('region').get(_id)
        const responsible = toNamed(model, person)
        return region && responsible ? [{ region: toRegionReference(region), responsible }] : []
      }),
      ({ region }) => region.name,
    ),
  })),
  version,
  updatedAt: toMoment(updatedAt ?? new Date(0).toISOString()),
  updatedBy,
})

const validateSettings = (model: ReadModel, { kinds }: DeadlineSettingsChange): void => {
  const checkPerson = (path: string, person: string | null): FieldError[] => {
    if (person === null) return []
    const known = model.table('person').get(person)
    if (!known) return [{ path, message: 'This person does not exist' }]
    return known.leftAt === null ? [] : [{ path, message: 'This person is no longer employed' }]
  }
  const errors = kinds.flatMap(({ kind, responsible, regions }, at) => [
    ...(kinds.findIndex((one) => one.kind === kind) < at ? [{ path: `kinds.${at}.kind`, message: 'This kind is listed twice' }] : []),
    ...checkPerson(`kinds.${at}.responsible`, responsible),
    ...regions.flatMap(({ region, responsible: ofRegion }, row) => {
      const path = `kinds.${at}.regions.${row}`
      return [
        ...(model.table('region').get(region) ? [] : [{ path: `${path}.region`, message: 'This region does not exist' }]),
        ...(regions.findIndex((one) => one.region === region) < row
          ? [{ path: `${path}.region`, message: 'This region is listed twice' }]
          : []),
        ...checkPerson(`${path}.responsible`, ofRegion),
      ]
    }),
  ])
  if (errors.length > 0) throw invalidFields(errors)
}

/** The settings, locked until the transaction ends. */
const lockSettings = async (tx: Tx): Promise<StoredDeadlineSettings> => {
  await sql`select pg_advisory_xact_lock(hashtext('homeroom settings'))`.execute(tx)
  return readStoredDeadlineSettings(tx)
}

const writeKinds = async (tx: Tx, kinds: StoredKinds): Promise<void> => {
  await sql`
    insert into setting (name, value) values (${DEADLINE_SETTINGS}, ${JSON.stringify({ kinds })}::jsonb)
    on conflict (name) do update set value = excluded.value`.execute(tx)
}

const isSame = (one: readonly number[], other: readonly number[]): boolean => one.join(' ') === other.join(' ')

/** Changes the settings of the given kinds; throws 412 if they were saved in between. */
export const saveKindSettings = async (
  tx: Tx,
  model: ReadModel,
  ifMatchVersion: number | undefined,
  change: DeadlineSettingsChange,
  now: Date,
): Promise<StoredDeadlineSettings> => {
  const { kinds, version } = await lockSettings(tx)
  assertVersion({ version }, ifMatchVersion)
  validateSettings(model, change)
  const changed = change.kinds.map(({ kind, leadDays, responsible, regions }): [DeadlineKind, StoredKindSettings] => [
    kind,
    {
      ...kinds[kind],
      ...(isSame(leadDays, getLeadDays(kinds, kind)) ? {} : { leadDays, leadDaysSince: now.toISOString() }),
      responsible,
      regions: Object.fromEntries(regions.map((one) => [one.region, one.responsible])),
    },
  ])
  await writeKinds(tx, { ...kinds, ...Object.fromEntries(changed) })
  return readStoredDeadlineSettings(tx)
}

/** A setting that names a responsible person: for a kind, or for a kind in a region. */
export interface NamedInSettings {
  readonly kind: DeadlineKind
  readonly region: string | null
}

/** The settings that name a person. */
export const listNamed = (kinds: StoredKinds, person: string): NamedInSettings[] =>
  KIND_NAMES.flatMap((kind): NamedInSettings[] => [
    ...(kinds[kind]?.responsible === person ? [{ kind, region: null }] : []),
    ...Object.entries(kinds[kind]?.regions ?? {}).flatMap(([region, one]) => (one === person ? [{ kind, region }] : [])),
  ])

/** Replaces one person by another, or by none, in all settings that name them, or in the given ones; returns which. */
export const replaceInSettings = async (
  tx: Tx,
  from: string,
  to: string | null,
  among: readonly NamedInSettings[] | 'all' = 'all',
): Promise<NamedInSettings[]> => {
  const { kinds } = await lockSettings(tx)
  const named = listNamed(kinds, from).filter(
    ({ kind, region }) => among === 'all' || among.some((one) => one.kind === kind && one.region === region),
  )
  if (named.length === 0) return []
  const next: Partial<Record<DeadlineKind, StoredKindSettings>> = { ...kinds }
  for (const { kind, region } of named) {
    const { [region ?? '']: _, ...regions } = next[kind]?.regions ?? {}
    next[kind] =
      region === null
        ? { ...next[kind], responsible: to }
        : { ...next[kind], regions: to === null ? regions : { ...regions, [region]: to } }
  }
  await writeKinds(tx, next)
  return named
}
