import type { HistoryParts } from '../../contract/history.ts'

export const regionHistory: HistoryParts = {
  region: { name: 'the region', title: 'Region', labels: { name: 'Name', slug: 'Slug' } },
}
