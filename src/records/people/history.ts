import type { HistoryParts } from '../../features/record-tools/history/rules.ts'
import { personLabels } from './fields.ts'

export const personHistory: HistoryParts = { person: { name: 'the person', title: 'Person', labels: personLabels } }
