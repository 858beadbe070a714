// The import boundaries of docs/developers/architecture.md. They are checked by path only, so that new features are covered automatically.
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * The server files of records: a kind imports from kinds before it, never from kinds at the same position or after it. Their pages use each other's
 * web/public.
 */
const RECORD_ORDER = [['regions', 'brands'], ['charters'], ['sites'], ['facility', 'enrollment', 'site-staff', 'sis-sites'], ['settings']]
/** The files of a feature that others may import; secrets are created and hashed in one place. */
const PUBLIC_FILES =
  /^(contract\.ts|fields\.ts|rules\.ts|list\.ts|history\.ts|(part|queries|mutations|secrets|restore)\.server\.ts|web\/queries\.ts|web\/[a-z-]+-columns\.tsx|web\/public\/.+)$/
const NOT_FROM_ROOF = 'Nothing imports from src/app, which knows all features and records (feature boundaries)'
/** Answers reads in the browser with the server's code; a test checks that what it reaches is pure. */
const OFFLINE_ANSWERS = 'src/app/offline-answers.web.ts'
/** The declaration of a kind of record, which names its parts in other folders; only `src/app` imports it. */
const KIND_FILE = /^kind\.(server\.ts|web\.tsx)$/
/** What commands do, and pages of the program too: only `src/app` imports it. */
const COMMAND_CODE = /^src\/(backup|doctor)\//
/** Names that do not describe a file's contents. */
const VAGUE_NAMES = /(^|\/)(utils?|helpers?|misc|common|index)(\/|\.\w+$)/

/**
 * The feature and layer of a file.
 * @param {string} path from the checkout's root, with slashes
 */
const getLocation = (path) => {
  const [, group, feature, inFeature = ''] =
    /^src\/(?:features\/)?([^/]+)\/([^/]+)\/(.+)$/.exec(/^src\/(?:features|records|app)\//.test(path) ? path : '') ?? []
  const [, layer] = /^src\/(contract|platform\/server|platform\/web|database)\//.exec(path) ?? []
  return {
    path,
    group,
    feature,
    inFeature,
    layer,
    isTest: /\.test\.tsx?$/.test(path),
    isServer: /\.server\.tsx?$/.test(path) || layer === 'platform/server',
    isWeb: /\/web\/|\.web\.tsx?$/.test(path),
    isPure: layer === 'contract' || (feature !== undefined && /^(contract|response|fields|rules|list|history)\.ts$/.test(inFeature)),
  }
}

/**
 * @param {string[][]} order
 * @param {string | undefined} name
 */
const getRank = (order, name) => order.findIndex((names) => name !== undefined && names.includes(name))

/**
 * The error for one feature importing a file of another; undefined if that is allowed.
 * @param {ReturnType<typeof getLocation>} from
 * @param {ReturnType<typeof getLocation>} to
 */
const checkFeatureImport = (from, to) => {
  if (to.group === 'app' && from.group !== 'app') return NOT_FROM_ROOF
  if (from.group !== 'app' && (from.group === 'records') !== (to.group === 'records'))
    return 'Records and features do not know each other; src/app brings them together (feature boundaries)'
  if (KIND_FILE.test(from.inFeature) && to.group === 'records') return undefined
  if (!PUBLIC_FILES.test(to.inFeature))
    return `A feature imports from another only its contract, rules, list, history, queries, mutations, secrets, and web/public (feature boundaries); ${to.inFeature} is private to ${to.feature}`
  if (to.inFeature === 'mutations.server.ts' && to.group === 'records')
    return `A record is saved by its own folder, and by features through its kind.server.ts (feature boundaries); mutations of ${to.feature} are private`
  const [own, other] = [getRank(RECORD_ORDER, from.feature), getRank(RECORD_ORDER, to.feature)]
  if (from.isServer && to.isServer && own >= 0 && other >= own)
    return `On the server ${from.feature} comes before ${to.feature} or beside it, and imports nothing from it (feature boundaries)`
  return undefined
}

/** @param {string} path */
const getTestFolder = (path) => /^test\/(\w+)\//.exec(path)?.[1]

/**
 * Tests and proofs import from `test/support` and from their own folder. A browser test may be the quick form of a security proof.
 * @param {string} fromPath
 * @param {string} toPath
 */
const checkTestImport = (fromPath, toPath) => {
  const [from, to] = [getTestFolder(fromPath), getTestFolder(toPath)]
  if (toPath.startsWith('bench/')) return 'Tests and proofs import nothing from bench; what both use is in test/support (test folders)'
  if (to === undefined || to === from || to === 'support' || (from === 'browser' && to === 'security')) return undefined
  return from === 'support'
    ? 'What tests share imports no test and no proof (test folders)'
    : 'Tests and proofs import from test/support and from their own folder (test folders)'
}

/**
 * The error for one file importing another; undefined if that is allowed.
 * @param {string} fromPath
 * @param {string} toPath of a file, or the name of a package
 * @returns {string | undefined}
 */
export const checkImport = (fromPath, toPath) => {
  const from = getLocation(fromPath)
  const to = getLocation(toPath)
  const isOwn = toPath.startsWith('src/')
  if (fromPath.startsWith('test/')) return checkTestImport(fromPath, toPath)
  if (!fromPath.startsWith('src/') || from.isTest) return undefined
  if (/^(test|scripts|bench)\//.test(toPath)) return 'Code of the product imports nothing from tests or scripts'
  if (toPath.startsWith('sample/') && !fromPath.startsWith('src/main.')) return 'Only the entry knows the sample network'

  if (from.isPure) {
    const isAllowed = toPath === 'zod' || to.layer === 'contract' || (from.feature !== undefined && to.isPure)
    if (!isAllowed)
      return 'contract, response, rules, list and history import zod, contract and the same files of other features, nothing else (pure contracts)'
  }
  if (!isOwn) {
    return toPath.startsWith('node:') && !from.isServer && from.layer !== 'database' && (from.isWeb || from.feature !== undefined)
      ? 'Only server files use Node’s own modules (layers)'
      : undefined
  }
  if (to.isServer && !from.isServer && fromPath !== OFFLINE_ANSWERS) return 'A file without .server never imports one with it (layers)'
  if (to.isWeb && from.isServer) return 'A server file never imports from the web app (layers)'
  if (to.layer === 'database' && from.isWeb && fromPath !== OFFLINE_ANSWERS) return 'The web app never imports from the database (layers)'
  if (from.layer !== undefined && (to.feature !== undefined || to.layer === undefined))
    return 'The platform and the database import no feature (layers)'
  if (from.layer === 'database' && to.layer?.startsWith('platform/')) return 'The database imports nothing of the platform (layers)'
  if (from.layer === 'platform/web' && to.layer === 'database') return 'The web app never imports from the database (layers)'

  if (from.feature !== undefined && to.feature === undefined && to.layer === undefined)
    return from.group === 'app' && COMMAND_CODE.test(toPath) ? undefined : NOT_FROM_ROOF
  if (from.feature !== undefined && to.feature !== undefined && from.feature !== to.feature) return checkFeatureImport(from, to)
  return undefined
}

const KEBAB_CASE = '[a-z0-9]+(-[a-z0-9]+)*'
/** A component in PascalCase, everything else in kebab-case. */
const WEB_FILE = new RegExp(`^([A-Z]\\w*\\.tsx|${KEBAB_CASE}(\\.test)?\\.tsx?)$`)
const FEATURE_FILE = new RegExp(`^(kind\\.web\\.tsx|${KEBAB_CASE}(\\.server)?(\\.test|\\.d)?\\.ts)$`)

/**
 * The error for a file's name; undefined if it is valid.
 * @param {string} path
 * @returns {string | undefined}
 */
export const checkName = (path) => {
  if (!/^(src|sample|scripts|test|lint|bench)\//.test(path)) return undefined
  if (VAGUE_NAMES.test(path)) return 'A file is called by what it holds: no index, utils, helpers, misc or common (file names)'
  if (getLocation(path).feature === undefined) return undefined
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name.startsWith('saving.server.')) return 'Writes are in mutations.server.ts (feature layout)'
  return (path.includes('/web/') ? WEB_FILE : FEATURE_FILE).test(name)
    ? undefined
    : 'Components are in PascalCase, every other file of a feature in kebab-case (feature layout)'
}

/**
 * The error for an export of a feature's file; undefined if it belongs in that file.
 * @param {string} path
 * @param {string} exported its name
 * @returns {string | undefined}
 */
export const checkExport = (path, exported) => {
  if (getLocation(path).feature === undefined || !path.includes('/web/')) return undefined
  if (/^[A-Z][a-z]\w*Page$/.test(exported) && !path.endsWith(`/${exported}.tsx`))
    return `${exported} is in ${exported}.tsx (feature layout)`
  if (exported.endsWith('_COLUMNS') && !path.endsWith('-columns.tsx')) return `${exported} is in a file x-columns.tsx (feature layout)`
  return undefined
}

/** Methods of Kysely and functions of `database/delete-rows.server.ts` that write. */
const WRITES = new Set(['insertInto', 'updateTable', 'deleteFrom', 'mergeInto', 'deleteInBatches', 'deleteAllButLatest'])
const WRITING_SQL = /\b(insert\s+into|delete\s+from|merge\s+into|truncate)\b|\bupdate\b[\s\S]*\bset\b/i
/**
 * The error for a call or an SQL text; undefined if the file may contain it.
 * @param {string} path
 * @param {string} called the name of a function or method, or an SQL text with spaces for its values
 * @returns {string | undefined}
 */
export const checkWrite = (path, called) =>
  (WRITES.has(called) || WRITING_SQL.test(called)) && /^src\/(?:features|records|app)\/.*[/-](queries|routes)\.server\.ts$/.test(path)
    ? 'Writes are in mutations.server.ts (feature layout)'
    : undefined

/** @param {string} path */
const fromRoot = (path) => relative(ROOT, path).replaceAll('\\', '/')

/** @typedef {{ filename: string, report: (problem: { node: unknown, message: string }) => void }} Context */

const imports = {
  /** @param {Context} context */
  create: (context) => {
    const from = fromRoot(context.filename)
    /** @param {{ source?: unknown }} node */
    const check = (node) => {
      const source = /** @type {{ type: string, value?: unknown } | null | undefined} */ (node.source)
      if (source?.type !== 'Literal' || typeof source.value !== 'string') return
      const target = source.value.startsWith('.') ? fromRoot(resolve(join(ROOT, dirname(from)), source.value)) : source.value
      const message = checkImport(from, target)
      if (message) context.report({ node: source, message })
    }
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check }
  },
}

const names = {
  /** @param {Context} context */
  create: (context) => {
    const path = fromRoot(context.filename)
    /** @param {unknown} node @param {string | undefined} message */
    const report = (node, message) => {
      if (message) context.report({ node, message })
    }
    /** @param {{ name: string }} node */
    const checkCalled = (node) => report(node, checkWrite(path, node.name))
    return {
      Program: (/** @type {unknown} */ node) => report(node, checkName(path)),
      'ExportNamedDeclaration > VariableDeclaration > VariableDeclarator > Identifier.id': (/** @type {{ name: string }} */ node) =>
        report(node, checkExport(path, node.name)),
      'CallExpression > MemberExpression.callee > Identifier.property': checkCalled,
      'CallExpression > Identifier.callee': checkCalled,
      'TaggedTemplateExpression[tag.name="sql"] > TemplateLiteral': (
        /** @type {{ quasis: readonly { value: { raw: string } }[] }} */ node,
      ) => report(node, checkWrite(path, node.quasis.map(({ value }) => value.raw).join(' '))),
    }
  },
}

export default { meta: { name: 'boundaries' }, rules: { imports, names } }
