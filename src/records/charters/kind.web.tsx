import type { RecordKindWeb } from '../../platform/web/record-kinds.ts'
import { updateCharter } from './contract.ts'
import { WithCharterLists } from './web/WithCharterLists.tsx'

export const charterKind: RecordKindWeb = {
  groups: [
    {
      title: 'Charter',
      sheet: 'charters',
      schema: updateCharter.body,
      WithFields: ({ children }) => <WithCharterLists>{(fields) => children({ fields })}</WithCharterLists>,
    },
  ],
}
