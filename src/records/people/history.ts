import type { HistoryParts } from '../../contract/history.ts'
import { personLabels } from './fields.ts'

export const personHistory: HistoryParts = { person: { name: 'the person', title: 'Person', labels: personLabels } }
