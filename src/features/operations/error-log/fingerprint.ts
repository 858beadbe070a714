import { PAGE_LIST } from '../../../contract/pages.ts'

/** Fixed segments of our paths; every other segment after the first two identifies a record. */
const KEPT_PATH_SEGMENTS = new Set(
  'api auth locations-api member district service excel preview seen'
    .split(' ')
    .concat(PAGE_LIST.flatMap(([path]) => path.split('/').filter((segment) => /^\w/.test(segment)))),
)
const MAX_LENGTH = 300

/** `/locations-api/site/…` for `/locations-api/site/fresno-2?x=1`. */
export const toLocationPattern = (location: string): string => {
  const [, method = '', address = ''] = /^([A-Z]{3,7} )?(.*)$/s.exec(location) ?? []
  const path = address.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/[?#].*$/s, '')
  const parts = path.split('/').slice(1)
  const own = parts[0] === 'api' || parts[0] === 'locations-api' ? 2 : 1
  const shown = parts.map((part, at) =>
    (at < own && /^[a-z_-]+$/i.test(part)) || KEPT_PATH_SEGMENTS.has(part) || part.startsWith(':') ? part : '…',
  )
  return `${method}/${shown.join('/')}`.slice(0, MAX_LENGTH)
}

const QUOTED = /"[^"]{0,300}"|“[^“”]{0,300}”|`[^`]{0,300}`|(?<![\p{L}\p{N}])'[^']{0,300}'(?![\p{L}\p{N}])/gu
const IDENTIFIER = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b(?=[a-f]*\d)[0-9a-f]{8,}\b/gi
const NUMBER = /\d+(?:[.,:]\d+)*/g

/** A message without numbers, ids and quotations, so that 'Site "Fresno" has 3 rows' and 'Site "Lodi" has 14 rows' are one group. */
export const toMessagePattern = (message: string): string =>
  message.replace(QUOTED, '“…”').replace(IDENTIFIER, '#').replace(NUMBER, '#').replace(/\s+/g, ' ').trim().slice(0, MAX_LENGTH)

interface ErrorTexts {
  readonly errorName: string | null
  readonly errorMessage: string | null
  readonly errorLocation: string | null
}

/** The text that all errors of a group have in common, the same on every server. */
export const toGroupKey = ({ errorName, errorMessage, errorLocation }: ErrorTexts): string =>
  [errorName ?? '', toMessagePattern(errorMessage ?? ''), toLocationPattern(errorLocation ?? '')].join('\n')
