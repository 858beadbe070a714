import type { ColumnType, Generated } from 'kysely'

/** When someone last confirmed or changed a record; `checkVersion` counts checks the way `version` counts changes. */
export interface CheckColumns {
  checkedAt: ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
  checkedBy: ColumnType<string | null, string | null | undefined, string | null>
  checkVersion: Generated<number>
}

export interface CheckMailTable {
  kind: 'site' | 'person' | 'charter'
  record: string
  recipient: string
  checkedAt: Date
  isSecond: boolean
  mail: string | null
  at: Date
}
