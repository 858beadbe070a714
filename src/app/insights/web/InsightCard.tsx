import { ActionIcon, Button, Menu, Skeleton } from '@mantine/core'
import {
  IconArrowRight,
  IconChartBar,
  IconDots,
  IconDownload,
  IconMail,
  IconMailOff,
  IconPhoto,
  IconPin,
  IconPinnedOff,
  IconPrinter,
  IconTable,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'

import { showError } from '../../../platform/web/error-banner.ts'
import { errorMessage } from '../../../platform/web/failures.ts'
import { downloadFile, saveFile } from '../../../platform/web/files.ts'
import { PlainSelect } from '../../../platform/web/kit/PlainSelect.tsx'
import { LoadedList } from '../../../platform/web/list/LoadedList.tsx'
import { showSuccess } from '../../../platform/web/success-notice.ts'
import { downloadInsight, type Insight, type InsightQuery, type InsightSummary, type KeptInsight } from '../contract.ts'
import { formatLink } from '../format.ts'
import { drawPicture } from './copy-picture.ts'
import { InsightDrawing } from './InsightDrawing.tsx'
import { toLinkProps } from './link.ts'
import { findKept, useDeleteKeptInsight, useInsight, useKeepInsight, useKeptInsights } from './queries.ts'

import layoutClasses from '../../../platform/web/kit/Layout.module.css'
import textClasses from '../../../platform/web/kit/Text.module.css'
import classes from './Insights.module.css'

interface InsightCardProps {
  readonly summary: InsightSummary
  readonly query: InsightQuery
  readonly isCompared: boolean
  /** False while pictures above it are still loading. */
  readonly isEnabled?: boolean
  readonly onSettled?: () => void
  /** Chooses what the series are; without it there is no choice. */
  readonly onChoose?: (by: string | undefined) => void
  readonly onPrint?: () => void
  readonly isPrinted?: boolean
  /** What the card has besides, such as the filters of a pinned one. */
  readonly note?: ReactNode
}

const PLACES = {
  home: {
    keep: 'Pin to home',
    remove: 'Unpin from home',
    kept: 'is on your home page',
    removed: 'is no longer on your home page',
    icon: IconPin,
    off: IconPinnedOff,
  },
  mail: {
    keep: 'Add to monthly email',
    remove: 'Remove from monthly email',
    kept: 'is in your monthly email',
    removed: 'is no longer in your monthly email',
    icon: IconMail,
    off: IconMailOff,
  },
} as const

/** Adds the insight to a place, or removes it from there. */
const PlaceItem = ({ place, label, name, query }: { place: KeptInsight['place']; label: string; name: string; query: InsightQuery }) => {
  const { data: kept } = useKeptInsights()
  const words = PLACES[place]
  const keeping = useKeepInsight(`${label} ${words.kept}.`)
  const removing = useDeleteKeptInsight(`${label} ${words.removed}.`)
  const found = findKept(kept, { place, name, filter: query })
  const Icon = found ? words.off : words.icon
  const toggle = () => {
    if (found) removing.mutate(found)
    else keeping.mutate({ place, name, filter: query })
  }
  return (
    <Menu.Item leftSection={<Icon size={17} stroke={1.75} aria-hidden />} className={layoutClasses.targetHeight} onClick={toggle}>
      {found ? words.remove : words.keep}
    </Menu.Item>
  )
}

const canCopy = ({ chart }: Pick<Insight, 'chart'>): boolean => chart !== 'table'

const CardMenu = ({
  summary,
  query,
  finding,
  card,
  onPrint,
  onPicture,
}: Pick<InsightCardProps, 'summary' | 'query' | 'onPrint'> & {
  finding: string
  card: () => HTMLElement | null
  onPicture: () => void
}) => {
  const { name, label, drawn } = summary
  const copy = async () => {
    onPicture()
    // The menu closes, and a table becomes the picture again.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    try {
      const element = card()
      if (!element) return
      const picture = drawPicture(element, { title: finding, drawn })
      try {
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })])
        showSuccess({ text: 'The picture was copied.' })
      } catch {
        // Browsers block the clipboard on insecure pages, or if the user refused it.
        saveFile({ name: `${label}.png`, file: await picture })
        showSuccess({ text: `${label}.png was downloaded, because this browser does not allow copying pictures.` })
      }
    } catch (error) {
      showError(`The picture could not be copied. ${errorMessage(error)}`)
    }
  }
  const icon = (Icon: typeof IconPhoto) => <Icon size={17} stroke={1.75} aria-hidden />
  return (
    <Menu position="bottom-end" shadow="md" radius="lg" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" className={layoutClasses.targetSize} aria-label={`More actions: ${label}`} data-print="no">
          <IconDots size={18} stroke={1.75} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {canCopy(summary) ? (
          <Menu.Item leftSection={icon(IconPhoto)} className={layoutClasses.targetHeight} onClick={() => void copy()}>
            Copy picture
          </Menu.Item>
        ) : null}
        <Menu.Item
          leftSection={icon(IconDownload)}
          className={layoutClasses.targetHeight}
          onClick={() => void downloadFile(downloadInsight, 'The workbook', { params: { name }, query })}
        >
          Download workbook
        </Menu.Item>
        {onPrint ? (
          <Menu.Item leftSection={icon(IconPrinter)} className={layoutClasses.targetHeight} onClick={onPrint}>
            Print
          </Menu.Item>
        ) : null}
        <PlaceItem place="home" label={label} name={name} query={query} />
        <PlaceItem place="mail" label={label} name={name} query={query} />
      </Menu.Dropdown>
    </Menu>
  )
}

/** One insight: its finding as the title, what is drawn, the picture or its table, and the list behind it. */
export const InsightCard = ({
  summary,
  query,
  isCompared,
  isEnabled = true,
  onSettled,
  onChoose,
  onPrint,
  isPrinted = true,
  note,
}: InsightCardProps) => {
  const { name, choices, chart } = summary
  const loaded = useInsight(name, query, isEnabled)
  const [isTable, setTable] = useState(false)
  const title = useId()
  const card = useRef<HTMLElement>(null)
  const isSettled = loaded.data !== undefined || loaded.isError
  useEffect(() => {
    if (isSettled) onSettled?.()
  }, [isSettled, onSettled])
  const finding = loaded.data?.title ?? summary.label
  const { drawn } = summary
  const SwitchIcon = isTable ? IconChartBar : IconTable

  return (
    <article
      ref={card}
      id={name}
      aria-labelledby={title}
      aria-busy={loaded.isPlaceholderData || undefined}
      className={`${layoutClasses.card} ${layoutClasses.vertical} ${classes.card}`}
      data-print={isPrinted ? undefined : 'no'}
    >
      <div className={`${layoutClasses.topRow} ${layoutClasses.spaceBetween}`}>
        <h3 id={title} className={`${layoutClasses.shrinkable} ${classes.title}`}>
          {loaded.data ? (
            <Link {...toLinkProps(loaded.data.link)} className={textClasses.quietLink}>
              {finding}
            </Link>
          ) : (
            finding
          )}
        </h3>
        <div className={`${layoutClasses.spaced} ${layoutClasses.rigid}`} data-print="no">
          {chart === 'table' ? null : (
            <Button
              variant="default"
              size="compact-sm"
              className={classes.switch}
              leftSection={<SwitchIcon size={16} stroke={1.75} aria-hidden />}
              aria-label={`${isTable ? 'Picture' : 'Table'}: ${summary.label}`}
              onClick={() => setTable(!isTable)}
            >
              <span className={layoutClasses.notOnPhones}>{isTable ? 'Picture' : 'Table'}</span>
            </Button>
          )}
          <CardMenu
            summary={summary}
            finding={finding}
            query={query}
            card={() => card.current}
            onPrint={onPrint}
            onPicture={() => setTable(false)}
          />
        </div>
      </div>
      <div className={`${textClasses.hint} ${layoutClasses.spreadRow}`}>
        <p>{drawn}</p>
        {onChoose && choices.length > 1 ? (
          <span data-print="no">
            <PlainSelect
              aria-label={`${summary.label} by`}
              value={query.by ?? choices[0]?.key}
              onChange={({ currentTarget: { value } }) => onChoose(value === choices[0]?.key ? undefined : value)}
            >
              {choices.map(({ key, label }) => (
                <option key={key} value={key}>
                  {label}
                </option>
              ))}
            </PlainSelect>
          </span>
        ) : null}
      </div>
      {note}
      <div className={classes.drawing}>
        <LoadedList query={loaded} skeleton={<Skeleton height={220} />}>
          {(insight) => <InsightDrawing insight={insight} isCompared={isCompared} isTable={isTable} />}
        </LoadedList>
      </div>
      {loaded.data ? (
        <Link
          {...toLinkProps(loaded.data.link)}
          className={`${textClasses.link} ${textClasses.smallFont} ${layoutClasses.inlineRow} ${classes.behind}`}
          data-print="no"
        >
          {formatLink(loaded.data)}
          <IconArrowRight size={15} stroke={1.75} aria-hidden />
        </Link>
      ) : null}
    </article>
  )
}
