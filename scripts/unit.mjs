// Reads a service's unit and its environment file as systemd does, which is not as a shell does.
import { readFileSync } from 'node:fs'

/**
 * The value after `NAME=` in an environment file: quotes around it are taken off, a backslash takes the next character as it is, and nothing else
 * has a meaning: no `$`, no `&`, no `#` behind a value.
 * @param {string} text
 */
export const valueOf = (text) => {
  let value = ''
  let kept = 0
  let quote = ''
  let isBare = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (quote !== '') {
      if (character === quote) quote = ''
      else if (character === '\\' && quote === '"' && /["\\`$]/.test(text[at + 1] ?? '')) value += text[++at]
      else value += character
      kept = value.length
    } else if (!isBare && (character === '"' || character === "'")) quote = character
    else if (!isBare && /\s/.test(character)) continue
    else {
      isBare = true
      if (character === '\\' && at + 1 < text.length) value += text[++at]
      else value += character
      if (!/\s/.test(character)) kept = value.length
    }
  }
  return value.slice(0, kept)
}

/**
 * The variables of an environment file.
 * @param {string} text
 * @returns {Record<string, string>}
 */
export const environmentIn = (text) =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, name, value] = /^\s*([A-Za-z_]\w*)\s*=(.*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, valueOf(value)]]
    }),
  )

/**
 * What of a unit decides how its program runs. Its files win over its lines, as with systemd.
 * @param {string} path
 * @param {(path: string) => string} [read]
 */
export const readUnit = (path, read = (file) => readFileSync(file, 'utf8')) => {
  /** @type {Record<string, string>} */
  const given = {}
  /** @type {Record<string, string>} */
  let files = {}
  let user = ''
  let folder = '/'
  for (const line of read(path).split('\n')) {
    const [, name, value = ''] = /^([A-Za-z]+)=(.*)$/.exec(line.trim()) ?? []
    if (name === 'User') user = value
    if (name === 'WorkingDirectory') folder = value
    if (name === 'Environment')
      for (const [, quoted, bare] of value.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)) Object.assign(given, environmentIn(quoted ?? bare ?? ''))
    if (name === 'EnvironmentFile') {
      const isOptional = value.startsWith('-')
      try {
        files = { ...files, ...environmentIn(read(isOptional ? value.slice(1) : value)) }
      } catch (error) {
        if (!isOptional) throw error
      }
    }
  }
  return { user, folder, environment: { ...given, ...files } }
}
