import { type JsonSchema } from '../../src/platform/server/body-limit.ts'

/** A letter escaped by a program that writes only ASCII: six bytes. */
export const ESCAPED_LETTER = String.raw`\u00e9`
const escaped = (length: number): string => `"${ESCAPED_LETTER.repeat(length)}"`
const longest = (texts: readonly string[]): string => texts.reduce((one, other) => (other.length > one.length ? other : one), '')

/** The longest JSON that the limits of a schema allow, with every character escaped; a long line where it has no limit. */
export const buildLargestBody = (schema: JsonSchema): string => {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return longest(schema.enum.map((one) => JSON.stringify(one)))
  const options = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (options) return longest(options.map(buildLargestBody))
  if (schema.type === 'string') return escaped(schema.maxLength ?? 200)
  if (schema.type === 'array')
    return `[${Array.from({ length: schema.maxItems ?? 50 }, () => buildLargestBody(schema.items ?? {})).join(',')}]`
  if (schema.type === 'object') {
    const named = Object.entries(schema.properties ?? {}).map(([name, value]) => `"${name}":${buildLargestBody(value)}`)
    return `{${named.join(',')}}`
  }
  return schema.type === undefined ? escaped(19_000) : '-123456789'
}
