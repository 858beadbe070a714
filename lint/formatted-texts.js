// What `Intl` formats is for people: its look differs between browsers and their versions, even for one locale. A program that reads it back (splits,
// compares, parses it) works in one browser and fails in another. Dates are therefore formatted in one file, from their parts.

const DATES_FILE = 'src/contract/dates.ts'
const LOCALE_METHODS = new Set(['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'])
/** @param {string} words */
const toSet = (words) => new Set(words.split(' '))
const DATE_OPTIONS = toSet(
  'weekday era year month day dayPeriod hour minute second hourCycle hour12 timeZone timeZoneName dateStyle timeStyle',
)
/** Methods that look into a text. Others, such as `padStart`, only write it. */
const READING_METHODS = toSet(
  'split slice substring substr match matchAll replace replaceAll search startsWith endsWith includes indexOf lastIndexOf at charAt charCodeAt codePointAt localeCompare',
)
const READING_FUNCTIONS = toSet('Number parseInt parseFloat BigInt Date parse test exec')
const COMPARISONS = new Set(['===', '!==', '==', '!=', '<', '>', '<=', '>='])
const TRANSPARENT = new Set(['ChainExpression', 'TSAsExpression', 'TSNonNullExpression', 'ParenthesizedExpression', 'TemplateLiteral'])

/** @typedef {any} Node */
/** @typedef {{ filename: string, sourceCode: any, report: (problem: { node: Node, message: string }) => void }} Context */

/** @param {Node} callee */
const nameOf = (callee) => (callee?.type === 'MemberExpression' ? callee.property.name : callee?.name)

/** @param {Node} node */
const isIntl = (node) => node?.type === 'MemberExpression' && node.object.name === 'Intl'

/**
 * What the variable of an identifier is declared as; undefined if this file does not say.
 * @param {Context} context
 * @param {Node} identifier
 */
const getDeclared = (context, identifier) => {
  for (let scope = context.sourceCode.getScope(identifier); scope; scope = scope.upper) {
    const variable = scope.set.get(identifier.name)
    if (variable) return variable.defs[0]?.node.init
  }
  return undefined
}

/**
 * Whether an expression is an object of `Intl`, or a variable that holds one.
 * @param {Context} context
 * @param {Node} node
 */
const isFormatter = (context, node) => {
  const made = node?.type === 'Identifier' ? getDeclared(context, node) : node
  return (made?.type === 'NewExpression' || made?.type === 'CallExpression') && isIntl(made.callee)
}

/**
 * Whether a call returns a text that was formatted for people.
 * @param {Context} context
 * @param {Node} call
 */
const isFormatting = (context, { callee }) => {
  if (callee.type === 'Identifier') return nameOf(getDeclared(context, callee)?.callee) === 'createDayFormat'
  if (callee.type !== 'MemberExpression') return false
  if (LOCALE_METHODS.has(nameOf(callee))) return true
  return /^format(Range)?$/.test(nameOf(callee) ?? '') && isFormatter(context, callee.object)
}

/**
 * Whether the value of an expression is looked into, directly or through a constant.
 * @param {Context} context
 * @param {Node} node
 * @returns {boolean}
 */
const isReadBack = (context, node) => {
  const { parent } = node
  if (TRANSPARENT.has(parent.type)) return isReadBack(context, parent)
  if (parent.type === 'MemberExpression') return parent.object === node && (parent.computed || READING_METHODS.has(parent.property.name))
  if (parent.type === 'BinaryExpression') return COMPARISONS.has(parent.operator)
  if (parent.type === 'UnaryExpression') return true
  if (parent.type === 'CallExpression' || parent.type === 'NewExpression')
    return parent.callee !== node && READING_FUNCTIONS.has(nameOf(parent.callee))
  if (parent.type !== 'VariableDeclarator') return false
  if (parent.id.type !== 'Identifier') return true
  return context.sourceCode
    .getDeclaredVariables(parent)
    .some((/** @type {Node} */ { references }) =>
      references.some((/** @type {Node} */ { identifier, init }) => !init && isReadBack(context, identifier)),
    )
}

const reading = {
  /** @param {Context} context */
  create: (context) => ({
    CallExpression: (/** @type {Node} */ node) => {
      if (isFormatting(context, node) && isReadBack(context, node))
        context.report({
          node,
          message: 'A text formatted for people is not read back: browsers format differently. Use the value, or toMomentParts',
        })
    },
  }),
}

const dates = {
  /** @param {Context} context */
  create: (context) => {
    if (context.filename.replaceAll('\\', '/').replace('.test.', '.').endsWith(DATES_FILE)) return {}
    /** @param {Node} node */
    const report = (node) =>
      context.report({ node, message: `Dates are formatted in ${DATES_FILE}: toIsoDay, formatMoment, createDayFormat, toMomentParts` })
    return {
      MemberExpression: (/** @type {Node} */ node) => {
        const isQuestion = node.parent.parent?.type === 'MemberExpression' && node.parent.parent.property.name === 'resolvedOptions'
        if (isIntl(node) && node.property.name === 'DateTimeFormat' && !isQuestion) report(node)
      },
      CallExpression: (/** @type {Node} */ node) => {
        const name = nameOf(node.callee)
        const options = node.arguments[1]?.properties ?? []
        const isDate = options.some((/** @type {Node} */ { key }) => DATE_OPTIONS.has(key?.name ?? key?.value))
        if (name === 'toLocaleDateString' || name === 'toLocaleTimeString' || (name === 'toLocaleString' && isDate)) report(node)
      },
    }
  },
}

export default { meta: { name: 'formatted' }, rules: { reading, dates } }
