import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

/** Puts a brotli and a gzip form beside each file of the build, so that the server never compresses one twice. */
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

/** The parts that pages share, by the pages whose sharing makes them: those of the first page after sign-in, of a record's page, and of a list. */
const PARTS = {
  first: ['features/finding/home/web/HomePage.tsx', 'features/finding/search/web/Palette.tsx'],
  record: ['features/records/sites/web/SitePage.tsx'],
  list: ['features/records/sites/web/SitesPage.tsx'],
} as const
type Part = keyof typeof PARTS

const modulesOf = { first: new Set<string>(), record: new Set<string>(), list: new Set<string>() }
/** Looks up which of our modules (and icons) the pages of a part come to. What else they need the bundler adds by itself; through the index of a package they would come to all of it. */
const parts = (): Plugin => ({
  name: 'parts',
  apply: 'build',
  renderStart() {
    const walk = (id: string, found: Set<string>): void => {
      if (found.has(id) || (id.includes('/node_modules/') && !id.includes('/@tabler/'))) return
      found.add(id)
      for (const imported of this.getModuleInfo(id)?.importedIds ?? []) walk(imported, found)
    }
    for (const part of Object.keys(PARTS) as Part[]) {
      modulesOf[part].clear()
      for (const page of PARTS[part]) walk(fileURLToPath(new URL(`src/${page}`, import.meta.url)), modulesOf[part])
    }
  },
})
/** A chunk of what the pages of a part share with others. Without it, every icon and every rule used twice would be a request of its own: sixty for a list. */
const chunkOf = (part: Part, priority: number) => ({
  name: part,
  test: (id: string) => modulesOf[part].has(id),
  minShareCount: 2,
  priority,
})

export default defineConfig({
  plugins: [react(), compressed(), parts()],
  // The server puts a nonce of its own into every page it sends.
  html: { cspNonce: '__NONCE__' },
  build: {
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // zod is told of our policy in the chunk it comes in, since it looks when the first schema is made, in whichever chunk that is.
            { name: 'zod', test: /node_modules\/zod\/|platform\/web\/no-eval/, priority: 5 },
            { name: 'start', tags: ['$initial'], priority: 4 },
            chunkOf('first', 3),
            chunkOf('record', 2),
            chunkOf('list', 1),
          ],
        },
      },
    },
  },
})
