import { send } from '../../platform/web/client.ts'
import type { RecordKindWeb } from '../../platform/web/record-kinds.ts'
import { updateCharter, viewCharter } from './contract.ts'
import { WithCharterLists } from './web/WithCharterLists.tsx'

export const charterKind: RecordKindWeb = {
  groups: [
    {
      title: 'Charter',
      sheet: 'charters',
      schema: updateCharter.body,
      edit: { call: updateCharter, read: (id) => send(viewCharter, { params: { id } }) },
      WithFields: ({ children }) => <WithCharterLists>{(fields) => children({ fields })}</WithCharterLists>,
    },
  ],
}
