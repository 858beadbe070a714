import { ActionIcon } from '@mantine/core'
import { IconStar, IconStarFilled } from '@tabler/icons-react'

import type { RecordHit } from '../../../../../contract/records.ts'
import { HeadAction, useIsInMenu } from '../../../../../platform/web/kit/HeadAction.tsx'
import { useFavorite, useRecordViewed } from '../queries.ts'

import classes from './FavoriteToggle.module.css'

/** The star of a record's page, which adds it to the favorites. It also records that the page was viewed. */
export const FavoriteToggle = ({ kind, _id }: Pick<RecordHit, 'kind' | '_id'>) => {
  const { isKnown, on, change } = useFavorite({ kind, _id })
  useRecordViewed(kind, _id)
  const isInMenu = useIsInMenu()
  const Icon = on ? IconStarFilled : IconStar
  const words = on ? 'Remove from favorites' : 'Add to favorites'
  if (isInMenu)
    return (
      <HeadAction icon={Icon} onClick={() => change(!on)} isDisabled={!isKnown}>
        {words}
      </HeadAction>
    )
  return (
    <ActionIcon
      variant="default"
      className={classes.star}
      aria-label="Favorite"
      title={words}
      aria-pressed={on}
      disabled={!isKnown}
      onClick={() => change(!on)}
      data-print="no"
    >
      <Icon size={18} stroke={1.75} />
    </ActionIcon>
  )
}
