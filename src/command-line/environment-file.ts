/** A line of an environment file that cannot be parsed. The line itself is not repeated: it may contain a secret. */
export class EnvironmentFileError extends Error {}

const NAME = /^[A-Za-z_]\w*$/
const EXPORT = /^export\s/
const COMMENT = /^\s*(?:#.*)?$/

/** The quoted value at the start of a text, and the rest after it; undefined if the closing quotation mark is missing. */
const readQuoted = (text: string, quote: string): { value: string; rest: string } | undefined => {
  let value = ''
  for (let at = 1; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === quote) return { value, rest: text.slice(at + 1) }
    const next = text[at + 1] ?? ''
    if (quote === '"' && character === '\\' && next !== '' && '"\\$`'.includes(next)) {
      value += next
      at++
    } else value += character
  }
  return undefined
}

const readValue = (text: string): string => {
  const quote = text[0] ?? ''
  if (quote !== "'" && quote !== '"') {
    const comment = text.startsWith('#') ? 0 : text.search(/\s#/)
    return (comment === -1 ? text : text.slice(0, comment)).trimEnd()
  }
  const quoted = readQuoted(text, quote)
  if (quoted === undefined) throw new EnvironmentFileError('the closing quotation mark is missing')
  if (!COMMENT.test(quoted.rest)) throw new EnvironmentFileError('only a comment (#) may follow the closing quotation mark')
  return quoted.value
}

/**
 * Parses an environment file by the rules of docs/operators/configuration.md. Syntax that shells, systemd, Docker and Node interpret identically has
 * that meaning here; other syntax is refused or has one defined meaning. Values are never expanded. The last of several assignments wins.
 */
export const parseEnvironmentFile = (text: string): Record<string, string> => {
  const variables: Record<string, string> = {}
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (COMMENT.test(line)) continue
    const equalsAt = line.indexOf('=')
    const name = line.slice(0, Math.max(equalsAt, 0)).trim().replace(EXPORT, '').trim()
    if (!NAME.test(name)) throw new EnvironmentFileError(`line ${index + 1} is no NAME=VALUE and no comment (#)`)
    try {
      variables[name] = readValue(line.slice(equalsAt + 1).trim())
    } catch (error) {
      if (!(error instanceof EnvironmentFileError)) throw error
      throw new EnvironmentFileError(`line ${index + 1} (${name}): ${error.message}`)
    }
  }
  return variables
}
