import { Button } from '@mantine/core'
import { IconBookmark, IconUsers } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'

import { parseSearch } from '../../../../../platform/web/search-params.ts'
import { useViews } from '../queries.ts'
import { formatListName } from '../view-address.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './ViewsCard.module.css'

/** Views shown before "Show all". */
const INITIAL_COUNT = 12

/** The user's own and shared views on the home page; nothing while there are none. */
export const ViewsCard = () => {
  const { data: selectViews = [] } = useViews()
  const [isWhole, setWhole] = useState(false)
  if (selectViews.length === 0) return null
  return (
    <section aria-labelledby="views-title" className={layoutClasses.topMargin32}>
      <h2 id="views-title" className={layoutClasses.bottomMargin12}>
        Views
      </h2>
      <ul className={`${layoutClasses.grid} ${classes.views}`}>
        {(isWhole ? selectViews : selectViews.slice(0, INITIAL_COUNT)).map((view) => {
          const Icon = view.mine ? IconBookmark : IconUsers
          return (
            <li key={view._id}>
              <Link
                to={view.page}
                search={parseSearch(view.search)}
                className={`${layoutClasses.card} ${layoutClasses.shadowOnHover} ${layoutClasses.row} ${textClasses.textColor} ${classes.view}`}
              >
                <Icon size={18} stroke={1.75} aria-hidden className={`${layoutClasses.rigid} ${textClasses.dimmed}`} />
                <span className={layoutClasses.column}>
                  <span className={`${layoutClasses.breakable} ${textClasses.strong} ${classes.name}`}>{view.name}</span>
                  <span className={textClasses.caption}>
                    {formatListName(view)}
                    {view.mine ? (view.shared ? ' · Shared' : '') : ` · by ${view.by}`}
                  </span>
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
      {selectViews.length > INITIAL_COUNT && !isWhole ? (
        <Button variant="default" mt="sm" onClick={() => setWhole(true)}>
          Show all {selectViews.length} views
        </Button>
      ) : null}
    </section>
  )
}
