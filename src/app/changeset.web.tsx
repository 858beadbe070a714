import { ChangesPage } from '../features/changing/changesets/web/ChangesPage.tsx'
import { LeftOutCard, LeftOutNumbersCard } from '../features/changing/sheets/web/LeftOutCard.tsx'
import { ACTIVITY_PARTS } from './exports/history.ts'

/** `/changes/$id`, with the labels of all fields, and the parts of an uploaded sheet that were left out. */
export const Changes = () => <ChangesPage parts={ACTIVITY_PARTS} leftOutNumbers={<LeftOutNumbersCard />} leftOut={<LeftOutCard />} />
