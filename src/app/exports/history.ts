import { deadlineHistory } from '../../contract/deadlines.ts'
import type { HistoryParts } from '../../contract/history.ts'
import { brandHistory } from '../../records/brands/history.ts'
import { affairHistory } from '../../records/charter-affairs/history.ts'
import { charterHistory } from '../../records/charters/history.ts'
import { personHistory } from '../../records/people/history.ts'
import { regionHistory } from '../../records/regions/history.ts'
import { siteHistory } from '../../records/sites/history.ts'

/** The labels of all kinds of records. */
export const RECORD_PARTS: HistoryParts = {
  ...siteHistory,
  ...affairHistory,
  ...charterHistory,
  ...brandHistory,
  ...personHistory,
  ...regionHistory,
}

/** The labels of everything whose changes are listed, for the activity page and its workbook. */
export const ACTIVITY_PARTS: HistoryParts = {
  ...RECORD_PARTS,
  deadline: deadlineHistory,
  permission: {
    name: 'the administrator',
    title: 'Administrators',
    labels: { name: 'Name', azureID: 'Email', accessLevel: 'Access level' },
  },
  request: {
    name: 'the request',
    title: 'Requests',
    labels: { text: 'Text', state: 'State', word: 'Answer', openFields: 'Fields to decide' },
    values: { state: { open: 'Open', done: 'Done', declined: 'Declined' } },
  },
}
