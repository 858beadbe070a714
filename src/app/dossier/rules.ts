/** The parts of a dossier, in order. */
export const DOSSIER_PARTS = [
  'affair',
  'terms',
  'board_members',
  'districts',
  'sites',
  'programs',
  'deadlines',
  'changes',
  'checks',
] as const
export type DossierPart = (typeof DOSSIER_PARTS)[number]

/** Their titles, and what they contain. */
export const PART_TEXTS: Readonly<Record<DossierPart, { readonly title: string; readonly contains: string }>> = {
  affair: {
    title: 'Charter affair',
    contains: 'The charter, and the governance record: authorizer, petition, funding, memorandum of understanding',
  },
  terms: { title: 'Charter terms', contains: 'Corporation, authorizer, expiration, approved and current locations' },
  board_members: { title: 'Board members', contains: 'The authorizer’s board, with terms and votes' },
  districts: { title: 'Districts', contains: 'Centers with their county and districts' },
  sites: { title: 'Sites', contains: 'Every site with its leadership and its facility' },
  programs: { title: 'Enrollment programs', contains: 'The programs that each site offers' },
  deadlines: { title: 'Deadlines', contains: 'Deadlines kept and missed in the period, and those that are ahead' },
  changes: { title: 'Changes', contains: 'Every change in the period, with who made it and when' },
  checks: { title: 'Checks', contains: 'When charter and sites were last checked, with who did it' },
}

/** A larger PDF or ZIP is not made. Proxies let uploads of 25 MB through. */
export const MAX_FILE_BYTES = 24 * 1024 * 1024
/** After this time, only the sums of a dossier are kept. */
export const KEEP_DAYS = 90
/** More changed values in a period are refused. */
export const MAX_CHANGES = 10_000
