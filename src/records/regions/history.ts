import type { HistoryParts } from '../../features/record-tools/history/rules.ts'

export const regionHistory: HistoryParts = {
  region: { name: 'the region', title: 'Region', labels: { name: 'Name', slug: 'Slug' } },
}
