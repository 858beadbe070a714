import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

import react from '@vitejs/plugin-react'
import { build, defineConfig } from 'vite'
import type { Plugin } from 'vite'

/** The oldest browsers, for the app and its service worker. */
const OLDEST = { target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'] }

/** Writes a brotli and a gzip file next to each file of the build, so that the server does not have to compress them. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: (_config, { command, mode }) => command === 'build' && mode === 'production',
  writeBundle({ dir = 'dist' }, bundle) {
    for (const name of Object.keys(bundle).filter((file) => /^assets\/.*\.(js|css|svg)$/.test(file))) {
      const bytes = readFileSync(join(dir, name))
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
      writeFileSync(join(dir, `${name}.gz`), gzipSync(bytes, { level: 9 }))
    }
  },
})

/** Builds the service worker, which has the names of all files of the build. */
const serviceWorker = (): Plugin => ({
  name: 'service-worker',
  apply: (_config, { command, mode }) => command === 'build' && mode === 'production',
  async writeBundle({ dir = 'dist' }, bundle) {
    const names = Object.keys(bundle).filter((file) => /^assets\/.*\.(js|css|svg)$/.test(file))
    const files = names.map((name) => `/${name}`).toSorted()
    const version = hash('sha256', JSON.stringify(files) + readFileSync(join(dir, 'index.html'), 'utf8')).slice(0, 12)
    await build({
      configFile: false,
      logLevel: 'warn',
      publicDir: false,
      define: { __FILES__: JSON.stringify(files), __VERSION__: JSON.stringify(version) },
      build: {
        ...OLDEST,
        outDir: dir,
        emptyOutDir: false,
        modulePreload: false,
        rolldownOptions: {
          input: fileURLToPath(new URL('src/app/service-worker.web.ts', import.meta.url)),
          output: { format: 'iife', entryFileNames: 'service-worker.js' },
        },
      },
    })
  },
})

/**
 * Leaves out of calls what only the server reads: their summaries, and the schemas of their responses. The other schemas are marked as pure, so that
 * those that only responses consist of are left out too.
 */
const callsOfBrowser = (): Plugin => ({
  name: 'calls-of-browser',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /\/src\/.*\/(contract|list)\.ts$/ },
    handler(code) {
      const edits: { readonly start: number; readonly end: number; readonly text: string }[] = []
      for (const statement of this.parse(code).body) {
        if (statement.type === 'ImportDeclaration' && statement.source.value.endsWith('/response.ts'))
          edits.push({ start: statement.start, end: statement.end, text: '' })
        const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        for (const { init } of declared?.type === 'VariableDeclaration' ? declared.declarations : []) {
          if (init?.type !== 'CallExpression') continue
          edits.push(
            { start: init.start, end: init.start, text: '/* @__PURE__ */ (() => ' },
            { start: init.end, end: init.end, text: ')()' },
          )
          const [, , definition] = init.callee.type === 'Identifier' && init.callee.name === 'call' ? init.arguments : []
          for (const part of definition?.type === 'ObjectExpression' ? definition.properties : []) {
            if (part.type !== 'Property' || part.key.type !== 'Identifier') continue
            const isOfServer = part.key.name === 'summary' || (part.key.name === 'response' && part.value.type !== 'Literal')
            if (isOfServer) edits.push({ ...part.value, text: 'undefined' })
          }
        }
      }
      return edits
        .toSorted((a, b) => b.start - a.start)
        .reduce((edited, { start, end, text }) => edited.slice(0, start) + text + edited.slice(end), code)
    },
  },
})

/**
 * The shared chunks, with the pages whose common modules they contain: the first page after sign-in, what it adds if there is any, a record's page, and
 * a list.
 */
const PARTS = {
  first: ['app/home/web/HomePage.tsx', 'features/finding/search/web/Palette.tsx'],
  needs: [
    'app/home/web/NeedsYou.tsx',
    'app/home/web/LatestActivity.tsx',
    'app/departures/web/public/DisabledPeople.tsx',
    'features/deadlines/deadlines/web/public/DeadlinesCard.tsx',
  ],
  record: ['records/sites/web/SitePage.tsx', 'app/record-features.web.tsx'],
  list: ['records/sites/web/SitesPage.tsx', 'app/list-features.web.tsx', 'features/changing/sheets/web/DropField.tsx'],
} as const
type Part = keyof typeof PARTS

const modulesOf: Record<Part, Set<string>> = { first: new Set(), needs: new Set(), record: new Set(), list: new Set() }
const ICON_IMPORT = /import \{([^}]*)\} from ["']@tabler\/icons-react["']/
/** Collects our modules that a part's pages reach, and the icons that these name. The bundler adds other packages: following their index would collect all. */
const parts = (): Plugin => ({
  name: 'parts',
  apply: 'build',
  renderStart() {
    const walk = (id: string, found: Set<string>): void => {
      if (found.has(id) || id.includes('/node_modules/')) return
      found.add(id)
      const { importedIds = [], code } = this.getModuleInfo(id) ?? {}
      for (const icon of ICON_IMPORT.exec(code ?? '')?.[1]?.split(',') ?? []) found.add(icon.trim())
      for (const imported of importedIds) walk(imported, found)
    }
    for (const part of Object.keys(PARTS) as Part[]) {
      modulesOf[part].clear()
      for (const page of PARTS[part]) walk(fileURLToPath(new URL(`src/${page}`, import.meta.url)), modulesOf[part])
    }
  },
})
/** A chunk of modules that a part's pages share with others. Otherwise each shared icon or module would be a separate request: 60 for a list. */
const chunkOf = (name: string, priority: number, ...of: readonly Part[]) => ({
  name,
  test: (id: string) => of.every((part) => modulesOf[part].has(id.includes('/@tabler/') ? basename(id, '.mjs') : id)),
  minShareCount: 2,
  priority,
})

export default defineConfig({
  plugins: [react(), callsOfBrowser(), compressed(), parts(), serviceWorker()],
  // The server replaces this with a new nonce in every page that it sends.
  html: { cspNonce: '__NONCE__' },
  build: {
    ...OLDEST,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Puts zod's CSP setting into its chunk: zod checks it when the first schema is created, which may be in any chunk.
            { name: 'zod', test: /node_modules\/zod\/|platform\/web\/no-eval/, priority: 8 },
            { name: 'start', tags: ['$initial'], priority: 7 },
            chunkOf('first', 6, 'first'),
            chunkOf('fields', 5, 'needs', 'list'),
            chunkOf('needs', 4, 'needs'),
            chunkOf('page', 3, 'record', 'list'),
            chunkOf('record', 2, 'record'),
            chunkOf('list', 1, 'list'),
          ],
        },
      },
    },
  },
})
