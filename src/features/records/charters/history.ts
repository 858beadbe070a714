import type { HistoryParts } from '../../record-tools/history/rules.ts'
import { charterLabels } from './rules.ts'

export const charterHistory: HistoryParts = {
  charter: { name: 'the charter', title: 'Charter', labels: { name: 'Name', photo: 'Photo', ...charterLabels } },
}
