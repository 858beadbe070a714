import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'

import { TextLink } from '../../../../../platform/web/kit/TextLink.tsx'
import type { CheckShareCardProps } from '../../../../../platform/web/record-features.tsx'
import { countChecked } from '../../rules.ts'
import { useCheckIntervals } from '../queries.ts'

import layoutClasses from '../../../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../../../platform/web/kit/Text.module.css'
import classes from './CheckShareCard.module.css'

/** The share of each region checked within the interval, as a number and a bar. Renders nothing if sites are not checked. */
export const CheckShareCard = ({ regions, isAlone = false }: CheckShareCardProps) => {
  const interval = useCheckIntervals().site
  const [now] = useState(() => new Date())
  if (interval === null) return null
  const rows = regions.map(({ name, slug, sites }) => ({ name, slug, ...countChecked(sites, interval, now) })).filter(({ all }) => all > 0)
  if (rows.length === 0) return null
  const show = (count: number): string => count.toLocaleString('en-US')
  return (
    <section className={classes.card} aria-label={`Checked within ${interval} days`} data-print="no">
      <ul className={`${textClasses.small} ${layoutClasses.grid} ${classes.rows}`}>
        {rows.map(({ name, slug, checked, all }) => (
          <li key={name} className={`${layoutClasses.fullRow} ${layoutClasses.alignCenter} ${classes.row}`}>
            <span className={textClasses.strong}>{isAlone ? 'Checked' : name}</span>
            <svg
              className={`${layoutClasses.block} ${layoutClasses.fullWidth} ${classes.bar}`}
              viewBox="0 0 100 8"
              preserveAspectRatio="none"
              aria-hidden
            >
              <rect width={100} height={8} className={classes.whole} />
              <rect width={(checked / all) * 100} height={8} className={classes.checked} />
            </svg>
            <span className={`${textClasses.dimmed} ${textClasses.figures} ${textClasses.unbroken}`}>
              <span className={layoutClasses.notOnPhones}>{Math.round((checked / all) * 100)}% checked, </span>
              {show(checked)} of {show(all)} <span className={layoutClasses.notOnPhones}>{all === 1 ? 'site' : 'sites'}</span>
            </span>
            {checked < all && slug !== null ? (
              <TextLink to="/locations" search={{ region: slug, unchecked: String(interval) }} className={classes.link}>
                {show(all - checked)} not checked{isAlone ? '' : <VisuallyHidden component="span"> in {name}</VisuallyHidden>}
              </TextLink>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}
