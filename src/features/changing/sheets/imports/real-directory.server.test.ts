import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { createImporter } from '../../../../../test/support/charter-import.ts'
import { readCharter } from '../../../../records/charters/contract.ts'
import { readSite } from '../../../../records/sites/contract.ts'

// The real directory is not part of the project: this test reads it from next to the checkout, if it exists.
const path = fileURLToPath(new URL('../../../../../../shared/data/public_charter_schools.csv', import.meta.url))
const isThere = existsSync(path)

test.skipIf(!isThere)(
  `the real directory of 2,378 charter schools is imported completely, once${isThere ? '' : ' (not tested: ../shared/data is not here)'}`,
  { timeout: 120_000 },
  async () => {
    const { context, as, importing } = await createImporter()
    const first = await importing(readFileSync(path))
    expect(first).toMatchObject({ added: 2378, changed: 0, unchanged: 0, refused: [] })
    expect(first.columns).toMatchObject({ AGENCY: null })

    const charters = await context.db
      .selectFrom('charter')
      .leftJoin('site', 'site.charter', 'charter._id')
      .select([
        'charter._id',
        'charter.name',
        'site._id as site',
        'site.zip',
        'site.phone',
        'site.directory_id',
        'charter.directory_id as id',
      ])
      .execute()
    expect(charters).toHaveLength(2378)
    expect(new Set(charters.map(({ _id }) => _id)).size).toBe(2378)
    expect(charters.every(({ site, id, directory_id }) => site !== null && id === directory_id)).toBe(true)
    expect(charters.filter(({ name }) => name === 'RAUL YZAGUIRRE SCHOOL FOR SUCCESS')).toHaveLength(4)
    expect(charters.filter(({ zip }) => zip === null)).toHaveLength(525)
    expect(charters.filter(({ phone }) => phone === null)).toHaveLength(2024)
    const regions = await context.db
      .selectFrom('site')
      .innerJoin('region', 'region._id', 'site.region')
      .select(({ fn }) => ['region.name', fn.countAll<number>().as('sites')])
      .groupBy('region.name')
      .orderBy('region.name')
      .execute()
    expect(regions).toEqual([
      { name: 'California', sites: 1247 },
      { name: 'Michigan', sites: 378 },
      { name: 'Texas', sites: 753 },
    ])

    const abraxis = await as(10).send(readCharter, { params: { slug: 'abraxis-charter' } })
    expect(abraxis).toMatchObject({ name: 'Abraxis Charter', directory_id: '063583011483', charter_grade_levels: '09-12' })
    expect(abraxis.sites).toHaveLength(1)
    expect(await as(10).send(readSite, { params: { slug: 'abraxis-charter' } })).toMatchObject({
      displayName: 'Abraxis Charter',
      address: { address_1: '1207 Cleveland Ave.', city: 'Santa Rosa', state: 'CA', zip: '95401', phone: null },
    })

    const changes = () =>
      context.db
        .selectFrom('change')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirst()
    const before = await changes()
    expect(await importing(readFileSync(path))).toMatchObject({ added: 0, changed: 0, unchanged: 2378, refused: [] })
    expect(await changes()).toEqual(before)
  },
)
