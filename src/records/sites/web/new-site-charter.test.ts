import { expect, test } from 'vitest'

import type { FormField } from '../../../platform/web/form/fields.ts'
import { findDistantCharter, groupCharters } from './new-site-charter.ts'

const site = (charter: string, region: string, state: string) => ({
  charter: { _id: charter },
  region: { _id: region },
  address: { state },
})
const sites = [site('juniper', 'ca', 'CA'), site('harbor', 'oh', 'OH')] as never
const FIELDS: Record<'charter' | 'region', FormField> = {
  charter: {
    kind: 'search',
    label: 'Charter',
    choices: [
      { value: 'harbor', label: 'Bright Harbor' },
      { value: 'juniper', label: 'Juniper' },
    ],
  },
  region: {
    kind: 'choice',
    label: 'Region',
    choices: [
      { value: 'ca', label: 'California' },
      { value: 'tx', label: 'Texas' },
    ],
  },
}

test('the charters of the selected region come first', () => {
  const charter = groupCharters(FIELDS, sites)
  const list = (region: string) =>
    charter.kind === 'search'
      ? charter.groupChoices?.({ region }).map(({ group, items }) => [group, ...items.map(({ label }) => label)])
      : []
  expect(list('ca')).toEqual([
    ['In California', 'Juniper'],
    ['Other charters', 'Bright Harbor'],
  ])
  expect(list('tx')).toEqual([['Charters', 'Bright Harbor', 'Juniper']])
})

test('a charter without a site in the state is asked about', () => {
  const find = (charter: string, state: string) => findDistantCharter(FIELDS, sites, { charter, 'address.state': state })
  expect(find('harbor', 'CA')).toEqual({ charter: 'Bright Harbor', state: 'California' })
  expect(find('harbor', 'OH')).toBeNull()
})
