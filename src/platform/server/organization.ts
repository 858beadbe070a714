import { sql } from 'kysely'

import type { Db } from '../../database/connection.server.ts'
import type { Configuration } from './configuration.ts'
import type { ListCache } from './list-cache.ts'

interface OrganizationOptions {
  readonly configuration: Configuration
  readonly db: Db
  readonly lists: ListCache
}

/** What the settings say of the organization and every page shows. */
interface OrganizationFacts {
  readonly name: string | null
  /** The id of a picture. */
  readonly logo: string | null
  /** The states it works in; all of them while none is chosen. */
  readonly states: readonly string[]
}

interface StoredOrganization {
  readonly organisation?: string | null
  readonly logo?: string | null
  readonly states?: readonly string[]
  readonly timeZone?: string | null
}

/** The organization's settings in memory, since pages and texts need them synchronously. */
export class Organization {
  readonly #context: OrganizationOptions
  /** The time zone without one in the settings. */
  readonly #defaultTimeZone: string
  facts: OrganizationFacts = { name: null, logo: null, states: [] }

  constructor(context: OrganizationOptions) {
    this.#context = context
    this.#defaultTimeZone = context.configuration.timeZone
    context.lists.onChange((tables) => {
      if (tables !== 'any' && !tables.has('setting')) return
      this.load().catch(() => {}) // a lost connection is reopened, and everything is read again
    })
  }

  /** Reads the settings; a time zone in the environment stays. */
  async load(): Promise<void> {
    const { configuration, db } = this.#context
    const { rows } = await sql<{ value: StoredOrganization }>`select value from setting where name = 'settings'`.execute(db)
    const { organisation = null, logo = null, states = [], timeZone } = rows[0]?.value ?? {}
    this.facts = { name: organisation, logo, states }
    if (!configuration.givenSettings.has('TIME_ZONE')) configuration.timeZone = timeZone ?? this.#defaultTimeZone
  }
}
