import type { HistoryParts } from '../../record-tools/history/rules.ts'
import { brandLabels } from './rules.ts'

export const brandHistory: HistoryParts = {
  brand: { name: 'the brand', title: 'Brand', labels: { brandName: 'Name', brandPhoto: 'Photo', ...brandLabels } },
}
