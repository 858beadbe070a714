import { IconArrowsDiff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'

import { useCan } from '../../../../platform/web/caller.ts'
import { TextLink } from '../../../../platform/web/kit/TextLink.tsx'
import type { CharterWithAffair } from '../../contract.ts'
import { listCharterDifferences } from '../../rules.ts'
import { toTextsByPath } from '../affair-fields.ts'
import { charterAffairQueryOptions } from '../queries.ts'

import layoutClasses from '../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../platform/web/kit/Text.module.css'
import classes from './CharterDifferencesCard.module.css'

interface DifferencesProps {
  charter: CharterWithAffair
  /** The page it is on; it links to the other one. */
  page: 'charter view' | 'charter affair'
}

/** The fields that differ between a charter and its charter affair. */
export const CharterDifferences = ({ charter, page }: DifferencesProps) => {
  const [affair] = charter.charter_affair_info
  const differing = affair ? listCharterDifferences(charter, toTextsByPath(affair)) : []
  if (differing.length === 0) return null
  const params = { id: charter.slug }
  return (
    <section
      className={`${layoutClasses.row} ${layoutClasses.band} ${textClasses.smallFont} ${layoutClasses.topMargin20} ${classes.panel}`}
      data-tone="wait"
      aria-label="Differences between the charter view and the charter affair"
      data-print="no"
    >
      <IconArrowsDiff size={20} stroke={1.75} aria-hidden />
      <div>
        <p className={textClasses.strong}>The charter view and the charter affair do not match</p>
        <ul className={`${layoutClasses.breakable} ${classes.list}`}>
          {differing.map(({ label, ofCharter, ofAffair }) => (
            <li key={label}>
              {label}: {ofCharter ?? 'none'} in the charter view, {ofAffair.join(' and ')} in the charter affair
            </li>
          ))}
        </ul>
        {page === 'charter view' ? (
          <TextLink to="/charter_affair/$id" params={params}>
            Open the charter affair
          </TextLink>
        ) : (
          <TextLink to="/charterview/$id" params={params}>
            Open the charter view
          </TextLink>
        )}
      </div>
    </section>
  )
}

/** The same on the charter view, for users who may read charter affairs. */
export const CharterDifferencesCard = ({
  charter,
}: {
  charter: { readonly _id: string; readonly charter_affair_info: readonly unknown[] }
}) => {
  const mayRead = useCan('read a charter affair') && charter.charter_affair_info.length > 0
  const { data } = useQuery({ ...charterAffairQueryOptions(charter._id), enabled: mayRead })
  return mayRead && data ? <CharterDifferences charter={data} page="charter view" /> : null
}
