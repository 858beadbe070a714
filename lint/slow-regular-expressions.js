// Finds regular expressions that take more than linear time on some text, using the syntax tree of the sources: with a single quadratic expression on
// user input, one request can block all others.
import { check } from 'recheck'
import { parseSync, Visitor } from 'vite'

/** @typedef {{ line: number, pattern: string, flags: string }} Expression */

/**
 * The text of a constant expression, if the file itself determines it.
 * @param {any} node
 * @param {ReadonlyMap<string, any>} constants by name, what they are declared as
 * @returns {string | undefined}
 */
const textOf = (node, constants) => {
  if (node?.type === 'Literal') return node.regex ? node.regex.pattern : String(node.value)
  if (node?.type === 'TSAsExpression' || node?.type === 'ParenthesizedExpression') return textOf(node.expression, constants)
  if (node?.type === 'Identifier') return constants.has(node.name) ? textOf(constants.get(node.name), constants) : undefined
  if (node?.type === 'MemberExpression' && node.property.name === 'source') return textOf(node.object, constants)
  if (node?.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [textOf(node.left, constants), textOf(node.right, constants)]
    return left === undefined || right === undefined ? undefined : left + right
  }
  const isRaw = node?.type === 'TaggedTemplateExpression' && node.tag.property?.name === 'raw'
  const template = isRaw ? node.quasi : node
  if (template?.type !== 'TemplateLiteral') return undefined
  const parts = template.quasis.flatMap((/** @type {any} */ quasi, /** @type {number} */ at) => [
    isRaw ? quasi.value.raw : quasi.value.cooked,
    ...(at < template.expressions.length ? [textOf(template.expressions[at], constants)] : []),
  ])
  return parts.includes(undefined) ? undefined : parts.join('')
}

/**
 * The regular expressions of a file: literals, and those created from texts declared in the file; `unreadable` has the lines of all others.
 * @param {string} path
 * @param {string} source
 * @returns {{ found: Expression[], unreadable: number[] }}
 */
export const expressionsIn = (path, source) => {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`)
  /** @type {Map<string, any>} */
  const constants = new Map()
  new Visitor({
    VariableDeclarator: (node) => {
      if (node.id.type === 'Identifier' && node.init) constants.set(node.id.name, node.init)
    },
  }).visit(program)

  /** @type {Expression[]} */
  const found = []
  /** @type {number[]} */
  const unreadable = []
  /** @param {{ start: number }} node */
  const lineOf = ({ start }) => source.slice(0, start).split('\n').length
  /** @param {any} node */
  const made = (node) => {
    if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return
    const [pattern, flags] = node.arguments
    const text = textOf(pattern, constants)
    if (text === undefined) unreadable.push(lineOf(node))
    else found.push({ line: lineOf(node), pattern: text, flags: textOf(flags, constants) ?? '' })
  }
  new Visitor({
    Literal: (node) => {
      if ('regex' in node) found.push({ line: lineOf(node), ...node.regex })
    },
    NewExpression: made,
    CallExpression: made,
  }).visit(program)
  return { found, unreadable }
}

/**
 * An expression that cannot be checked in four minutes counts as slow: a reader could not judge it either. The checker uses random texts (the fixed
 * seed makes them the same in every run) and counts steps of its engine, not milliseconds, since every expression is slow on a busy machine.
 */
const SETTINGS = {
  timeout: 240_000,
  randomSeed: 1,
  incubationTimeout: null,
  attackTimeout: null,
  attackLimit: 100_000_000,
  maxIteration: 3,
  maxGenerationSize: 50,
}

/**
 * The reason why an expression must not be used; undefined if it may.
 * @param {Pick<Expression, 'pattern' | 'flags'>} expression
 * @returns {Promise<string | undefined>}
 */
export const measureSlowness = async ({ pattern, flags }) => {
  const judged = await check(pattern, flags, SETTINGS)
  if (judged.status === 'safe') return undefined
  if (judged.status === 'unknown') return 'could not be judged in time; make it simpler'
  return `takes ${judged.complexity.summary} time, on ${judged.attack.pattern}`
}
