import { sql } from 'kysely'

export const broken = sql
