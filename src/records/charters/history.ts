import type { HistoryParts } from '../../contract/history.ts'
import { charterLabels } from './fields.ts'

export const charterHistory: HistoryParts = {
  charter: { name: 'the charter', title: 'Charter', labels: charterLabels },
}
