import type { HistoryParts } from '../../features/record-tools/history/rules.ts'
import { charterLabels } from './fields.ts'

export const charterHistory: HistoryParts = {
  charter: { name: 'the charter', title: 'Charter', labels: charterLabels },
}
