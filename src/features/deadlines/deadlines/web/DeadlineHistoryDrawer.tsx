import { Button, Drawer, Skeleton } from '@mantine/core'

import { formatMoment } from '../../../../contract/dates.ts'
import { configuration } from '../../../../platform/web/configuration.ts'
import { errorMessage } from '../../../../platform/web/failures.ts'
import { useReturnFocus } from '../../../../platform/web/kit/use-return-focus.ts'
import type { Deadline } from '../contract.ts'
import { describeChange } from './history-sentences.ts'
import { useDeadlineHistory } from './queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'

/** All changes of a deadline, newest first. */
export const DeadlineHistoryDrawer = ({ deadline, onClose }: { deadline: Deadline; onClose: () => void }) => {
  useReturnFocus()
  const history = useDeadlineHistory(deadline._id)
  const changes = history.data?.pages.flatMap((page) => page.changes) ?? []
  const record = deadline.charter ?? deadline.site
  return (
    <Drawer opened onClose={onClose} position="right" size={480} title={`History of ${deadline.title}`}>
      <p className={`${layoutClasses.breakable} ${textClasses.dimmed} ${layoutClasses.bottomMargin8}`}>{record?.name}</p>
      {history.isPending ? <Skeleton height={160} aria-hidden /> : null}
      {history.isError && changes.length === 0 ? (
        <div role="alert">
          <p className={`${textClasses.bad} ${textClasses.paragraph}`}>Error: {errorMessage(history.error)}</p>
          <Button variant="default" onClick={() => void history.refetch()}>
            Retry
          </Button>
        </div>
      ) : null}
      <ol aria-label={`History of ${deadline.title}`}>
        {changes.map((change) => (
          <li key={change._id} className={`${layoutClasses.lineAbove} ${layoutClasses.blockPadding12}`}>
            <p className={`${layoutClasses.breakable} ${textClasses.keptLines}`}>
              <strong>{change.by ?? 'Import or automatic change'}</strong> {describeChange(change).join('; ')}
            </p>
            <time dateTime={change.at} className={`${textClasses.caption} ${textClasses.figures}`}>
              {formatMoment(change.at, configuration.timeZone, ', ')}
            </time>
          </li>
        ))}
      </ol>
      {history.hasNextPage ? (
        <Button variant="default" fullWidth loading={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          Show Earlier Changes
        </Button>
      ) : null}
    </Drawer>
  )
}
