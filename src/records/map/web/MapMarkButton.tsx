import { IconClock, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'

import { formatCount } from '../../../contract/format.ts'
import type { Box } from './labels.ts'
import { type MapRegion, type Mark, getMarkSize } from './marks.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './SitesMap.module.css'

interface RovingFocusProps {
  /** Whether it is the one tab stop of the map. */
  isStop: boolean
  onReach: (key: string) => void
  onPoint: (name: string | null) => void
}

const getRovingProps = (key: string, name: string, { isStop, onReach, onPoint }: RovingFocusProps) => ({
  'data-key': key,
  tabIndex: isStop ? 0 : -1,
  onFocus: () => {
    onReach(key)
    onPoint(name)
  },
  onBlur: () => onPoint(null),
  onPointerEnter: () => onPoint(name),
  onPointerLeave: () => onPoint(null),
})

const MarkIcon = ({ variant: look }: Pick<Mark, 'variant'>) =>
  look === 'closed' ? (
    <IconX size={14} stroke={2.5} aria-hidden />
  ) : look === 'soon' ? (
    <IconClock size={15} stroke={2.25} aria-hidden />
  ) : null

interface MapMarkProps extends RovingFocusProps {
  mark: Mark
  onPress: (mark: Mark) => void
}

/** A link to one site, or a button that zooms into a cluster. */
export const MapMarkButton = ({ mark, onPress, ...reached }: MapMarkProps) => {
  const size = getMarkSize(mark)
  const [only] = mark.pins
  const shared = {
    ...getRovingProps(mark.key, mark.name, reached),
    'aria-label': mark.name,
    className: classes.mark,
    'data-variant': mark.variant,
    style: { left: mark.x - size / 2, top: mark.y - size / 2, width: size, height: size },
  }
  return mark.pins.length === 1 && only ? (
    <Link to="/location/$slug" params={{ slug: only.site.slug }} data-single {...shared}>
      <MarkIcon variant={mark.variant} />
    </Link>
  ) : (
    <button type="button" onClick={() => onPress(mark)} {...shared}>
      {mark.pins.length.toLocaleString('en-US')}
    </button>
  )
}

/** The city below a mark; hidden from screen readers, because the name of the mark includes it. */
export const Caption = ({ mark }: { mark: Mark }) => (
  <span
    className={`${textClasses.textColor} ${textClasses.unbroken} ${textClasses.tinyFont} ${classes.caption}`}
    style={{ left: mark.x, top: mark.y + getMarkSize(mark) / 2 + 2 }}
    aria-hidden
  >
    {mark.caption}
  </span>
)

/** A link to a region with the number of its shown sites. */
export const RegionLabel = ({ region: { slug, name, count }, box, ...reached }: { region: MapRegion; box: Box } & RovingFocusProps) => (
  <Link
    to="/region/$id"
    params={{ id: slug }}
    className={`${layoutClasses.outlined} ${layoutClasses.row} ${textClasses.linkColor} ${classes.region}`}
    style={{ left: box.left, top: box.top, width: box.right - box.left, height: box.bottom - box.top }}
    {...getRovingProps(slug, `${name}: ${formatCount(count, 'site')}`, reached)}
  >
    {name} <strong>{count.toLocaleString('en-US')}</strong>
  </Link>
)
