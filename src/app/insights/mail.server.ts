import { createDayFormat, formatDay } from '../../contract/dates.ts'
import { formatCount } from '../../contract/format.ts'
import { type MailPicture, renderMail, toSubject } from '../../platform/server/mail/layout.ts'
import type { NewMail } from '../../platform/server/mail/store.ts'
import type { Insight, InsightQuery } from './contract.ts'
import { findBefore, formatChange, formatSpoken, getLast } from './format.ts'
import { drawMailPicture, PICTURE_WIDTH } from './mail-picture.server.ts'

/** A chosen insight with the filters it was chosen with. */
export interface MailedInsight {
  readonly insight: Insight
  readonly filter: InsightQuery
}

interface MailOptions {
  readonly recipient: string
  readonly publicUrl: string
  /** The first day of the month. */
  readonly today: string
}

const formatMonth = createDayFormat({ month: 'long', year: 'numeric' })
/** The values that a mail says in words. */
const MAX_VALUES = 8

const getPageUrl = ({ insight, filter }: MailedInsight, publicUrl: string): string => {
  const { by, ...others } = filter
  const search = new URLSearchParams({ ...others, ...(by === undefined ? {} : { [`by.${insight.name}`]: by }) }).toString()
  return `${publicUrl}/insights${search && `?${search}`}#${encodeURIComponent(insight.name)}`
}

/** The last values of the series: 'California: 144 sites (+2)'. */
const listValues = ({ chart, unit, series, compared }: Insight): string[] => {
  const values = series.slice(0, MAX_VALUES).map((one) => {
    if (one.term) return `${one.label}: until ${formatDay(one.term.to)}`
    const last = one.points.at(-1)
    if (chart === 'map') return `${one.label}: ${last ? formatDay(last.on) : ''}`
    const old = findBefore(compared?.series, one)
    const change = old && old.points.length > 0 ? formatChange(getLast(one) - getLast(old), unit) : ''
    return `${one.label}: ${formatSpoken(getLast(one), unit)}${change && ` (${change})`}`
  })
  return series.length > MAX_VALUES ? [...values, `and ${formatCount(series.length - MAX_VALUES, 'more row')}`] : values
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
      text: insight.records === null ? 'Open the list' : `Open the list: ${formatCount(insight.records, 'record')}`,
      href: `${publicUrl}${insight.link}`,
    },
  }
}

/** The mail of the first day of a month: each chosen insight with its finding, its picture and the list behind it. */
export const buildMonthlyMail = async (
  insights: readonly MailedInsight[],
  { recipient, publicUrl, today }: MailOptions,
): Promise<NewMail> => {
  const title = `Insights for ${formatMonth(today)}`
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
