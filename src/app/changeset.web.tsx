import { ACTIVITY_PARTS } from '../features/exchange/exports/activity-parts.ts'
import { LeftOutCard, LeftOutNumbersCard } from '../features/exchange/sheets/web/LeftOutCard.tsx'
import { ChangesPage } from '../features/record-tools/changesets/web/ChangesPage.tsx'

/** `/changes/$id`, with the labels of all fields, and the parts of an uploaded sheet that were left out. */
export const Changes = () => <ChangesPage parts={ACTIVITY_PARTS} leftOutNumbers={<LeftOutNumbersCard />} leftOut={<LeftOutCard />} />
