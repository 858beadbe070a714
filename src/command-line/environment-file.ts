/** A line of an environment file that cannot be parsed. Its text is not repeated: it may contain a secret. */
export interface WrongLine {
  /** The setting it assigns, if that can be read. */
  readonly name: string | undefined
  readonly message: string
}

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

/** The value, or what is wrong with its quotation marks. */
const readValue = (text: string): { value: string } | { problem: string } => {
  const quote = text[0] ?? ''
  if (quote !== "'" && quote !== '"') {
    const comment = text.startsWith('#') ? 0 : text.search(/\s#/)
    return { value: (comment === -1 ? text : text.slice(0, comment)).trimEnd() }
  }
  const quoted = readQuoted(text, quote)
  if (quoted === undefined) return { problem: 'the closing quotation mark is missing' }
  if (!COMMENT.test(quoted.rest)) return { problem: 'only a comment (#) may follow the closing quotation mark' }
  return { value: quoted.value }
}

/**
 * Parses an environment file by the rules of docs/operators/configuration.md. Syntax that shells, systemd, Docker and Node interpret identically has
 * that meaning here; other syntax is refused or has one defined meaning. Values are never expanded. The last of several assignments wins.
 */
export const parseEnvironmentFile = (text: string): { variables: Record<string, string>; wrongLines: WrongLine[] } => {
  const variables: Record<string, string> = {}
  const wrongLines: WrongLine[] = []
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (COMMENT.test(line)) continue
    const equalsAt = line.indexOf('=')
    const name = line.slice(0, Math.max(equalsAt, 0)).trim().replace(EXPORT, '').trim()
    if (!NAME.test(name)) {
      wrongLines.push({ name: undefined, message: `line ${index + 1} is neither NAME=VALUE nor a comment (#)` })
      continue
    }
    const read = readValue(line.slice(equalsAt + 1).trim())
    if ('problem' in read) wrongLines.push({ name, message: `line ${index + 1} (${name}): ${read.problem}` })
    else variables[name] = read.value
  }
  return { variables, wrongLines }
}
