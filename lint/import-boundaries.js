// The import boundaries of docs/developers/architecture.md, held by the linter. A place is read from the path alone, so a new feature is policed from its first line.
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** On the server a feature takes from those before it, never from those beside or after it. */
const SERVER_ORDER = [
  ['regions', 'brands'],
  ['charters'],
  ['sites'],
  ['facility', 'enrollment', 'site-staff', 'sis-sites'],
  ['settings'],
  ['requests', 'search', 'coverage', 'map', 'history'],
  ['exports'],
  ['favourites', 'saved-views'],
]
/** What one feature may take from another. */
const SHOWN_TO_OTHERS =
  /^(contract\.ts|rules\.ts|list\.ts|queries\.server\.ts|web\/queries\.ts|web\/[a-z-]+-columns\.tsx|web\/\w+(Card|Picker)\.tsx)$/
/** Names that say nothing. */
const NAMELESS = /(^|\/)(utils?|helpers?|misc|common|index)(\/|\.\w+$)/

/**
 * Where a file stands.
 * @param {string} path from the checkout's root, with slashes
 */
const placeOf = (path) => {
  const [, feature, inFeature = ''] = /^src\/features\/[^/]+\/([^/]+)\/(.+)$/.exec(path) ?? []
  const [, layer] = /^src\/(platform\/contract|platform\/server|platform\/web|database)\//.exec(path) ?? []
  return {
    path,
    feature,
    inFeature,
    layer,
    isTest: /\.test\.tsx?$/.test(path),
    isServer: /\.server\.tsx?$/.test(path) || layer === 'platform/server',
    isWeb: /\/web\/|\.web\.tsx?$/.test(path),
    isPure: layer === 'platform/contract' || (feature !== undefined && /^(contract|rules|list)\.ts$/.test(inFeature)),
  }
}

/** @param {string | undefined} feature */
const rankOf = (feature) => SERVER_ORDER.findIndex((features) => feature !== undefined && features.includes(feature))

/**
 * What is wrong with one file importing another; undefined where nothing is.
 * @param {string} fromPath
 * @param {string} toPath of a file, or the name of a package
 * @returns {string | undefined}
 */
export const faultOf = (fromPath, toPath) => {
  const from = placeOf(fromPath)
  const to = placeOf(toPath)
  const isOurs = toPath.startsWith('src/')
  if (!fromPath.startsWith('src/') || from.isTest) return undefined
  if (/^(test|scripts|bench)\//.test(toPath)) return 'Code of the product imports nothing from tests or scripts'
  if (toPath.startsWith('sample/') && !fromPath.startsWith('src/main.')) return 'Only the entry knows the sample network'

  if (from.isPure) {
    const allowed = toPath === 'zod' || to.layer === 'platform/contract' || (from.feature !== undefined && to.isPure)
    return allowed
      ? undefined
      : 'A contract, its rules and its list import zod, platform/contract and other contracts, rules and lists, nothing else (pure contracts)'
  }
  if (!isOurs) {
    return toPath.startsWith('node:') && !from.isServer && from.layer !== 'database' && (from.isWeb || from.feature !== undefined)
      ? 'Only server files use Node’s own modules (layers)'
      : undefined
  }
  if (to.isServer && !from.isServer) return 'A file without .server never imports one with it (layers)'
  if (to.isWeb && from.isServer) return 'A server file never imports from the web app (layers)'
  if (to.layer === 'database' && from.isWeb) return 'The web app never imports from the database (layers)'
  if (from.layer !== undefined && (to.feature !== undefined || to.layer === undefined))
    return 'The platform and the database import no feature (layers)'
  if (from.layer === 'platform/web' && to.layer === 'database') return 'The web app never imports from the database (layers)'

  if (from.feature !== undefined && to.feature === undefined && to.layer === undefined)
    return 'A feature imports nothing from the lists at the root (feature boundaries)'
  if (from.feature !== undefined && to.feature !== undefined && from.feature !== to.feature) {
    if (!SHOWN_TO_OTHERS.test(to.inFeature)) {
      return `A feature takes from another only its contract, rules, queries, a card or a picker (feature boundaries); ${to.inFeature} is private to ${to.feature}`
    }
    const [own, other] = [rankOf(from.feature), rankOf(to.feature)]
    if (to.isServer && own >= 0 && other >= own)
      return `On the server ${from.feature} comes before ${to.feature} or beside it, and takes nothing from it (feature boundaries)`
  }
  return undefined
}

/**
 * What is wrong with a file's name; undefined where nothing is.
 * @param {string} path
 * @returns {string | undefined}
 */
export const faultOfName = (path) =>
  /^(src|sample|scripts|test|lint|bench)\//.test(path) && NAMELESS.test(path)
    ? 'A file is called by what it holds: no index, utils, helpers, misc or common (file names)'
    : undefined

/** @param {string} path */
const fromRoot = (path) => relative(ROOT, path).replaceAll('\\', '/')

/** @typedef {{ filename: string, report: (found: { node: unknown, message: string }) => void }} Context */

const imports = {
  /** @param {Context} context */
  create: (context) => {
    const from = fromRoot(context.filename)
    /** @param {{ source?: unknown }} node */
    const check = (node) => {
      const source = /** @type {{ type: string, value?: unknown } | null | undefined} */ (node.source)
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return
      const target = source.value.startsWith('.') ? fromRoot(resolve(join(ROOT, dirname(from)), source.value)) : source.value
      const message = faultOf(from, target)
      if (message) context.report({ node: source, message })
    }
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check }
  },
}

const names = {
  /** @param {Context} context */
  create: (context) => ({
    Program: (/** @type {unknown} */ node) => {
      const message = faultOfName(fromRoot(context.filename))
      if (message) context.report({ node, message })
    },
  }),
}

export default { meta: { name: 'boundaries' }, rules: { imports, names } }
