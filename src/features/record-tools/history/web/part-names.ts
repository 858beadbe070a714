import type { HistoryPart, HistoryParts } from '../rules.ts'

/** 'homeSite_id' as 'Home site id', for names without a label. */
export const humanizeName = (name: string): string => {
  const words = name
    .replaceAll('_', ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .trim()
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const findPart = (parts: HistoryParts, table: string): HistoryPart | undefined => (Object.hasOwn(parts, table) ? parts[table] : undefined)

const getLabel = (labels: Readonly<Record<string, string>> | undefined, name: string): string =>
  (labels && Object.hasOwn(labels, name) ? labels[name] : undefined) ?? humanizeName(name)

/** The label of a field; of a text in a section, 'overview.fein', 'Overview, FEIN'. */
export const getFieldLabel = (parts: HistoryParts, table: string, field: string): string => {
  const part = findPart(parts, table)
  const [section = '', text] = field.split('.')
  const label = getLabel(part?.labels, section)
  return text === undefined ? label : `${label}, ${getLabel(part?.sections?.[section], text)}`
}

export const getPartTitle = (parts: HistoryParts, table: string): string => findPart(parts, table)?.title ?? humanizeName(table)

/** What was changed: 'the facility', 'the SIS site Lodi IS', 'Hannah Ashworth, Registrar'. */
export const getPartName = (parts: HistoryParts, table: string, title: string | null): string => {
  const part = findPart(parts, table)
  if (title !== null && part?.isNamedByTitle) return title
  return [part?.name ?? `the ${humanizeName(table).toLowerCase()}`, title].filter(Boolean).join(' ')
}
