import type { Generated } from 'kysely'

export interface DossierTable {
  _id: Generated<string>
  account: string | null
  by: string
  charter: string
  name: string
  on: string
  from: string
  to: string
  parts: string[]
  state: Generated<'waiting' | 'making' | 'done' | 'failed'>
  progress: Generated<number>
  failure: string | null
  attempts: Generated<number>
  createdAt: Generated<Date>
  seenAt: Date | null
  madeAt: Date | null
  change: number | null
  pages: number | null
  signedBy: string | null
  certificate: string | null
}

export interface DossierFileTable {
  dossier: string
  kind: 'pdf' | 'zip'
  sha256: string
  size: number
  bytes: Buffer | null
}
