import type { HistoryParts } from '../../features/record-tools/history/rules.ts'
import { brandLabels } from './fields.ts'

export const brandHistory: HistoryParts = {
  brand: { name: 'the brand', title: 'Brand', labels: brandLabels },
}
