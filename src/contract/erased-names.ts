import { type PersonalKind, RECORD_NOUNS } from './records.ts'

const getStart = (kind: PersonalKind): string => `Erased ${RECORD_NOUNS[kind][0]} `

/** What someone is called after an erasure: 'Erased person 12'. */
export const getErasedName = (kind: PersonalKind, number: number): string => `${getStart(kind)}${number}`

/** Whether a name is that of someone who was erased. */
export const isErasedName = (kind: PersonalKind, name: string): boolean =>
  name.startsWith(getStart(kind)) && /^\d+$/.test(name.slice(getStart(kind).length))
