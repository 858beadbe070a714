import type { HistoryParts } from '../../contract/history.ts'
import { brandLabels } from './fields.ts'

export const brandHistory: HistoryParts = {
  brand: { name: 'the brand', title: 'Brand', labels: brandLabels },
}
