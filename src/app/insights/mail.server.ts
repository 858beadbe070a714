import { createDayFormat, formatDay } from '../../contract/dates.ts'
import { formatCount } from '../../contract/format.ts'
import { addDays } from '../../features/deadlines/deadlines/rules.ts'
import { type MailPicture, renderMail, toSubject } from '../../platform/server/mail/layout.ts'
import type { NewMail } from '../../platform/server/mail/store.ts'
import type { Insight, InsightQuery } from './contract.ts'
import { canAddUp, createDayNames, findBefore, formatChange, formatLink, formatSpoken, getLast, getTotal } from './format.ts'
import { drawMailPicture, PICTURE_WIDTH } from './mail-picture.server.ts'

/** A chosen insight with the filters it was chosen with. */
interface MailedInsight {
  readonly insight: Insight
  readonly filter: InsightQuery
}

interface MailOptions {
  readonly recipient: string
  readonly publicUrl: string
  /** The first day of the month after the one that the mail is about. */
  readonly today: string
}

const formatMonth = createDayFormat({ month: 'long', year: 'numeric' })
/** The values that a mail says in words. */
const MAX_VALUES = 12

const getPageUrl = ({ insight, filter }: MailedInsight, publicUrl: string): string => {
  const { by, ...others } = filter
  const search = new URLSearchParams({ ...others, ...(by === undefined ? {} : { [`by.${insight.name}`]: by }) }).toString()
  return `${publicUrl}/insights${search && `?${search}`}#${encodeURIComponent(insight.name)}`
}

/** The values of bars: of each day for one series, otherwise their sums. */
const listBarValues = ({ chart, unit, series }: Insight): string[] => {
  const [only] = series
  const nameDay = createDayNames({ chart, series })
  if (only && series.length === 1) return only.points.map(({ on, value }) => `${nameDay(on)}: ${formatSpoken(value, unit)}`)
  return series.map((one) =>
    canAddUp(unit)
      ? `${one.label}: ${formatSpoken(getTotal(one), unit)}`
      : `${one.label}: ${one.points.map(({ on, value }) => `${formatSpoken(value, unit)} in ${nameDay(on)}`).join(', ')}`,
  )
}

/** The last values of the series: 'California: 144 sites (+2)'. */
const listLastValues = ({ chart, unit, series, compared }: Insight): string[] =>
  series.map((one) => {
    if (one.term) return `${one.label}: until ${formatDay(one.term.to)}`
    const last = one.points.at(-1)
    if (chart === 'map') return `${one.label}: ${last ? formatDay(last.on) : ''}`
    const old = findBefore(compared?.series, one)
    const change = old && old.points.length > 0 ? formatChange(getLast(one) - getLast(old), unit) : ''
    return `${one.label}: ${formatSpoken(getLast(one), unit)}${change && ` (${change})`}`
  })

const listValues = (insight: Insight): string[] => {
  const values = insight.chart === 'bars' ? listBarValues(insight) : listLastValues(insight)
  return values.length > MAX_VALUES
    ? [...values.slice(0, MAX_VALUES), `and ${formatCount(values.length - MAX_VALUES, 'more row')}`]
    : values
}

const buildPicture = async (mailed: MailedInsight, publicUrl: string): Promise<MailPicture> => {
  const { insight } = mailed
  const lines = listValues(insight)
  const drawn = await drawMailPicture(insight)
  return {
    title: insight.title,
    href: getPageUrl(mailed, publicUrl),
    note: insight.drawn,
    image: drawn && { ...drawn, width: PICTURE_WIDTH, text: `${insight.drawn}. ${lines.join('; ')}` },
    lines,
    more: {
      text: formatLink(insight),
      href: `${publicUrl}${insight.link}`,
    },
  }
}

/** The mail of the first day of a month: each chosen insight with its finding, its picture and the list behind it. */
export const buildMonthlyMail = async (
  insights: readonly MailedInsight[],
  { recipient, publicUrl, today }: MailOptions,
): Promise<NewMail> => {
  const title = `Insights for ${formatMonth(addDays(today, -1))}`
  const pictures: MailPicture[] = []
  for (const mailed of insights) pictures.push(await buildPicture(mailed, publicUrl))
  return {
    kind: 'insight',
    recipients: [recipient],
    subject: toSubject(`${title}: ${insights[0]?.insight.title ?? ''}`),
    ...renderMail({
      title,
      intro: [],
      pictures,
      groups: [],
      button: { text: 'Open Insights', href: `${publicUrl}/insights` },
      after: [],
      foot: [
        'You get this because you chose these pictures.',
        { text: 'Change or end this email', href: `${publicUrl}/insights?email=choose` },
        '.',
      ],
    }),
  }
}
