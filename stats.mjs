import { writeFileSync } from 'node:fs'

import { build } from 'vite'
const out = []
await build({
  logLevel: 'error',
  build: { outDir: '/tmp/w/dist-stats', emptyOutDir: true, sourcemap: false },
  plugins: [
    {
      name: 's',
      generateBundle(_o, bundle) {
        for (const c of Object.values(bundle))
          if (c.type === 'chunk')
            out.push({
              file: c.fileName,
              imports: c.imports,
              dynamic: c.dynamicImports,
              modules: Object.entries(c.modules).map(([id, m]) => [id.replace(process.cwd() + '/', ''), m.renderedLength]),
            })
      },
    },
  ],
})
writeFileSync('/tmp/w/stats.json', JSON.stringify(out))
