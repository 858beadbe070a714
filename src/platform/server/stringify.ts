import { createTimeSlices } from './time-slices.ts'

/** Longer lists are serialized piece by piece. */
const MAX_ITEMS = 20

const stringifyList = async (list: readonly unknown[], rest: () => Promise<void>): Promise<string> => {
  const pieces: string[] = []
  for (let at = 0; at < list.length; at += MAX_ITEMS) {
    await rest()
    pieces.push(JSON.stringify(list.slice(at, at + MAX_ITEMS)).slice(1, -1))
  }
  return `[${pieces.join(',')}]`
}

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > MAX_ITEMS

/** Same result as `JSON.stringify`, but other requests are served while it serializes long lists, at the top level or as members of an object. */
export const stringify = async (value: unknown): Promise<string> => {
  const rest = createTimeSlices()
  if (isLong(value)) return stringifyList(value, rest)
  if (typeof value !== 'object' || value === null || !Object.values(value).some(isLong)) return JSON.stringify(value)
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    const json = isLong(member) ? await stringifyList(member, rest) : (JSON.stringify(member) as string | undefined)
    if (json !== undefined) members.push(`${JSON.stringify(name)}:${json}`)
  }
  return `{${members.join(',')}}`
}
