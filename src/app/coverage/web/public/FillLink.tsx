import { Link } from '@tanstack/react-router'

import { useCan } from '../../../../platform/web/caller.ts'
import { toWord } from '../reorganize-address.ts'

import textClasses from '../../../../platform/web/kit/Text.module.css'

/** Where a vacant position is filled, for people who may do that. */
export const FillLink = ({ site, role }: { site: string; role: string }) =>
  useCan('manage the network') ? (
    <Link
      to="/reorganize"
      search={{ mode: 'fill', role, only: toWord(site) }}
      className={textClasses.link}
      aria-label={`Fill ${role}`}
      data-print="no"
    >
      Fill…
    </Link>
  ) : null
