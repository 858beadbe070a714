import { fileURLToPath } from 'node:url'

import { build } from 'vite'

import type { SearchEngine } from '../../src/features/finding/search/engine/search-engine.ts'
import { expect, test } from './fixtures.ts'

const ENGINE = fileURLToPath(new URL('../../src/features/finding/search/engine/search-engine.ts', import.meta.url))

/** The engine as a script that defines `search.SearchEngine`. */
const bundleEngine = async (): Promise<string> => {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, lib: { entry: ENGINE, name: 'search', formats: ['iife'], fileName: 'engine' } },
  })
  const [output] = [built].flat()
  if (!output || !('output' in output)) throw new Error('Nothing was built')
  return output.output[0].code
}

test('the search engine gives the same results in a browser as on the server', async ({ page }) => {
  await page.addScriptTag({ content: await bundleEngine() })
  const found = await page.evaluate(() => {
    const { search } = window as unknown as { search: { SearchEngine: typeof SearchEngine } }
    const engine = new search.SearchEngine()
    const person = { email: null, phone: '209-555-0142', fax: null, sql_person_id: null }
    engine.change({ table: 'person', before: undefined, after: { ...person, _id: '1', name: 'Marisol Núñez' } })
    engine.change({ table: 'person', before: undefined, after: { ...person, _id: '2', name: 'Theodore Ames', phone: null } })
    return ['marisl nunez', 'teddy', '5550142', 'zzyzx'].map((typed) =>
      engine.search(typed, { maxPerKind: 5 }).groups.flatMap(({ hits }) => hits.map(({ _id }) => _id)),
    )
  })
  expect(found).toEqual([['1'], ['2'], ['1'], []])
})
