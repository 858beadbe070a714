/** Text of a sentence, part of which may be a link. */
export type MailText = string | { readonly text: string; readonly href: string }

/** One item: large text at the left, and what it is about. */
export interface MailRow {
  readonly mark: string
  /** Small, after the mark. */
  readonly markAside?: string
  /** Below the large text. */
  readonly note: string
  readonly isUrgent: boolean
  readonly title: string
  readonly href: string
  readonly details: readonly string[]
  readonly action?: { readonly text: string; readonly href: string }
}

export interface MailGroup {
  readonly title: string
  readonly count: number
  readonly isUrgent: boolean
  readonly rows: readonly MailRow[]
  /** A link to the rest, if not all are shown. */
  readonly more?: { readonly text: string; readonly href: string }
}

/** One fact of a record. A `gap` is a missing value. */
export interface MailFact {
  readonly label: string
  readonly value: string
  readonly kind?: 'plain' | 'missing' | 'gap'
}

interface MailLink {
  readonly text: string
  readonly href: string
}

/** A record shown in the mail itself. */
export interface MailRecord {
  /** Null if the mail's title names it. */
  readonly title: string | null
  readonly note: string | null
  readonly facts: readonly MailFact[]
  /** The first is the primary button. */
  readonly buttons: readonly MailLink[]
}

/** A finding with its picture, below its title. */
export interface MailPicture {
  readonly title: string
  readonly href: string
  /** What is drawn, or what the finding is about. */
  readonly note: string
  /** Null without a picture; `text` says its values for people who do not see it. */
  readonly image: { readonly png: Buffer; readonly width: number; readonly height: number; readonly text: string } | null
  /** Values in words, shown without a picture and in the plain text. */
  readonly lines: readonly string[]
  readonly more: MailLink
}

export interface MailContent {
  readonly title: string
  readonly intro: readonly string[]
  readonly pictures?: readonly MailPicture[]
  readonly groups: readonly MailGroup[]
  readonly records?: readonly MailRecord[]
  readonly button?: MailLink
  readonly after: readonly MailText[]
  /** Why the mail was sent, and how to stop it. */
  readonly foot: readonly MailText[]
}

/** Text on one line, without control characters: line breaks could inject mail headers. */
export const toOneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()

const MAX_SUBJECT_LENGTH = 120
export const toSubject = (text: string): string => toOneLine(text).slice(0, MAX_SUBJECT_LENGTH)

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => toOneLine(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
const INK = '#1E1C1A'
const MUTED = '#645F57'
const LINE = '#E8E4DE'
const LINK = '#2E4FBC'
const URGENT = '#8F2A20'
const GAP = '#6B4E06'

/** Colors for dark mode; `data-ogsc` is how Outlook's web app marks it. */
const DARK_COLORS = [
  ['.ground', 'background-color:#151413'],
  ['.sheet', 'background-color:#242220;border-color:#34312E'],
  ['.ink', 'color:#ECE9E4'],
  ['.dim', 'color:#ABA69E'],
  ['.rule', 'border-color:#34312E'],
  ['.link', 'color:#9BB5F4'],
  ['.urgent', 'color:#EB9388'],
  ['.gap', 'color:#F2C46D'],
  ['.filled', 'background-color:#3F64D6'],
] as const
const toDarkRules = (prefix: string): string =>
  DARK_COLORS.map(([name, rules]) => `${prefix}${name}{${rules.replaceAll(/(;|$)/g, '!important$1')}}`).join('')
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){${toDarkRules('')}}
${toDarkRules('[data-ogsc] ')}
@media (max-width:480px){.sheet{padding:20px 16px!important}.mark{width:92px!important}}`

const toLink = ({ text, href }: { readonly text: string; readonly href: string }, style: string): string =>
  `<a class="link" href="${escapeHtml(href)}" style="color:${LINK};${style}">${escapeHtml(text)}</a>`
const toSentence = (parts: readonly MailText[]): string =>
  parts
    .map((part) => (typeof part === 'string' ? ` ${escapeHtml(part)} ` : toLink(part, 'text-decoration:underline')))
    .join('')
    .replaceAll(/ {2,}/g, ' ')
    .replaceAll(/ ([.,;])/g, '$1')
    .trim()

const toRowHtml = ({ mark, markAside, note, isUrgent, title, href, details, action }: MailRow): string => `
<tr><td class="rule mark" width="112" valign="top" style="width:112px;padding:12px 8px 12px 0;border-top:1px solid ${LINE};${FONT}">
<div class="ink" style="font-size:17px;line-height:22px;font-weight:600;color:${INK}">${escapeHtml(mark)}${
  markAside === undefined ? '' : `<span class="dim" style="font-size:13px;font-weight:400;color:${MUTED}">${escapeHtml(markAside)}</span>`
}</div>
<div class="${isUrgent ? 'urgent' : 'dim'}" style="font-size:13px;line-height:20px;color:${isUrgent ? `${URGENT};font-weight:600` : MUTED}">${escapeHtml(note)}</div>
</td><td class="rule" valign="top" style="padding:12px 0;border-top:1px solid ${LINE};${FONT};word-break:break-word">
<a class="ink" href="${escapeHtml(href)}" style="font-size:15px;line-height:22px;font-weight:600;color:${INK};text-decoration:none">${escapeHtml(title)}</a>
${details.map((one) => `<div class="dim" style="font-size:14px;line-height:20px;color:${MUTED}">${escapeHtml(one)}</div>`).join('')}
${action ? `<div style="font-size:14px;line-height:20px">${toLink(action, 'text-decoration:none')}</div>` : ''}
</td></tr>`

const toGroupHtml = ({ title, count, isUrgent, rows, more }: MailGroup): string => `
<h2 class="${isUrgent ? 'urgent' : 'ink'}" style="margin:28px 0 8px;${FONT};font-size:17px;line-height:24px;font-weight:600;color:${isUrgent ? URGENT : INK}">${escapeHtml(title)} <span class="dim" style="font-weight:400;color:${MUTED}">${count.toLocaleString('en-US')}</span></h2>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0">${rows.map(toRowHtml).join('')}
<tr><td class="rule" colspan="2" style="padding:${more ? '10px 0' : '0'};border-top:1px solid ${LINE};${FONT};font-size:14px;line-height:20px">${more ? toLink(more, 'text-decoration:none') : ''}</td></tr></table>`

const FACT_STYLES = {
  plain: ['ink', `color:${INK}`],
  missing: ['dim', `color:${MUTED}`],
  gap: ['gap', `color:${GAP};font-weight:600`],
} as const

const toFactHtml = ({ label, value, kind = 'plain' }: MailFact): string => {
  const [name, style] = FACT_STYLES[kind]
  return `
<tr><td class="rule dim mark" width="160" valign="top" style="width:160px;padding:10px 12px 10px 0;border-bottom:1px solid ${LINE};${FONT};font-size:14px;line-height:22px;color:${MUTED}">${escapeHtml(label)}</td>
<td class="rule ${name}" valign="top" style="padding:10px 0;border-bottom:1px solid ${LINE};${FONT};font-size:15px;line-height:22px;${style};word-break:break-word">${escapeHtml(value)}</td></tr>`
}

const toFilledButton = ({ text, href }: MailLink): string =>
  `<td class="filled" bgcolor="${LINK}" style="border-radius:8px;background-color:${LINK}"><a href="${escapeHtml(href)}" style="display:inline-block;padding:11px 22px;${FONT};font-size:15px;line-height:22px;font-weight:600;color:#FFFFFF;text-decoration:none">${escapeHtml(text)}</a></td>`
const toPlainButton = ({ text, href }: MailLink): string =>
  `<td width="12" style="width:12px"></td><td class="rule" style="border-radius:8px;border:1px solid ${MUTED}"><a class="ink" href="${escapeHtml(href)}" style="display:inline-block;padding:10px 21px;${FONT};font-size:15px;line-height:22px;font-weight:600;color:${INK};text-decoration:none">${escapeHtml(text)}</a></td>`
const toButtons = ([first, ...others]: readonly MailLink[]): string =>
  first === undefined
    ? ''
    : `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin-top:26px"><tr>${toFilledButton(first)}${others.map(toPlainButton).join('')}</tr></table>`

const toRecordHtml = ({ title, note, facts, buttons }: MailRecord): string => `
${title === null ? '' : `<h2 class="ink" style="margin:32px 0 4px;${FONT};font-size:18px;line-height:24px;font-weight:600;color:${INK}">${escapeHtml(title)}</h2>`}
${note === null ? '' : `<p class="dim" style="margin:0 0 4px;${FONT};font-size:14px;line-height:20px;color:${MUTED}">${escapeHtml(note)}</p>`}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin-top:12px">${facts.map(toFactHtml).join('')}</table>
${toButtons(buttons)}`

/** The picture is part of the mail: the transport attaches it. */
const toImageHtml = ({ png, width, height, text }: NonNullable<MailPicture['image']>): string =>
  `<img src="data:image/png;base64,${png.toString('base64')}" width="${width}" height="${height}" alt="${escapeHtml(text)}" style="display:block;width:100%;max-width:${width}px;height:auto;margin-top:12px;border-radius:8px;${FONT};font-size:14px;line-height:20px;color:${MUTED}">`

const toPictureHtml = ({ title, href, note, image, lines, more }: MailPicture): string => `
<h2 style="margin:32px 0 2px;${FONT};font-size:18px;line-height:24px;font-weight:600"><a class="ink" href="${escapeHtml(href)}" style="color:${INK};text-decoration:none">${escapeHtml(title)}</a></h2>
<p class="dim" style="margin:0;${FONT};font-size:13px;line-height:19px;color:${MUTED}">${escapeHtml(note)}</p>
${image ? toImageHtml(image) : lines.map((line) => `<p class="ink" style="margin:6px 0 0;${FONT};font-size:14px;line-height:20px;color:${INK}">${escapeHtml(line)}</p>`).join('')}
<p style="margin:8px 0 0;${FONT};font-size:14px;line-height:20px">${toLink(more, 'text-decoration:none')}</p>`

const renderHtml = ({ title, intro, pictures = [], groups, records = [], button, after, foot }: MailContent): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(title)}</title>
<style>${STYLE}</style></head>
<body class="ground" bgcolor="#F4F2EE" style="margin:0;padding:0;background-color:#F4F2EE">
<table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="#F4F2EE" style="background-color:#F4F2EE"><tr><td align="center" style="padding:20px">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;text-align:left">
<tr><td class="sheet" bgcolor="#FFFFFF" style="padding:28px 32px;border:1px solid ${LINE};border-radius:12px;background-color:#FFFFFF">
<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr>
<td class="filled" width="28" height="28" align="center" valign="middle" bgcolor="${LINK}" style="width:28px;height:28px;border-radius:8px;background-color:${LINK};font-family:'Segoe UI Symbol','Apple Symbols',Arial,sans-serif;font-size:17px;line-height:28px;color:#FFFFFF" aria-hidden="true">&#8962;</td>
<td class="ink" style="padding-left:10px;${FONT};font-size:17px;line-height:28px;font-weight:600;color:${INK}">Homeroom</td></tr></table>
<h1 class="ink" style="margin:20px 0 8px;${FONT};font-size:24px;line-height:30px;font-weight:700;color:${INK}">${escapeHtml(title)}</h1>
${intro.map((one) => `<p class="ink" style="margin:0 0 8px;${FONT};font-size:16px;line-height:24px;color:${INK}">${escapeHtml(one)}</p>`).join('\n')}
${pictures.map(toPictureHtml).join('')}${records.map(toRecordHtml).join('')}${groups.map(toGroupHtml).join('')}
${button ? toButtons([button]) : ''}
${after.length > 0 ? `<p class="dim" style="margin:20px 0 0;${FONT};font-size:14px;line-height:20px;color:${MUTED}">${toSentence(after)}</p>` : ''}
</td></tr>
<tr><td class="dim" style="padding:18px 32px 12px;${FONT};font-size:13px;line-height:19px;color:${MUTED}">${toSentence(foot)}</td></tr></table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table></body></html>
`

const toPlainSentence = (parts: readonly MailText[]): string =>
  toOneLine(parts.map((part) => (typeof part === 'string' ? part : `${part.text} (${part.href})`)).join(' ')).replaceAll(/ ([.,;])/g, '$1')

const toPlainRow = ({ mark, markAside = '', note, title, href, details, action }: MailRow): string =>
  [
    `${mark}${markAside} (${note}): ${title}`,
    ...details,
    href,
    ...(action && action.href !== href ? [`${action.text}: ${action.href}`] : []),
  ]
    .map((line, at) => `${at === 0 ? '- ' : '  '}${toOneLine(line)}`)
    .join('\n')

const toPlainRecord = ({ title, note, facts, buttons }: MailRecord): string =>
  [
    ...(title === null ? [] : [title]),
    ...(note === null ? [] : [note]),
    ...facts.map(({ label, value }) => `${label}: ${value}`),
    ...buttons.map(({ text, href }) => `${text}: ${href}`),
  ]
    .map(toOneLine)
    .join('\n')

const toPlainPicture = ({ title, note, lines, more }: MailPicture): string =>
  [title, note, ...lines.map((line) => `- ${line}`), `${more.text}: ${more.href}`].map(toOneLine).join('\n')

const renderText = ({ title, intro, pictures = [], groups, records = [], button, after, foot }: MailContent): string =>
  `${[
    toOneLine(title),
    ...intro.map(toOneLine),
    ...pictures.map(toPlainPicture),
    ...records.map(toPlainRecord),
    ...groups.map((group) =>
      [
        `${toOneLine(group.title)} (${group.count.toLocaleString('en-US')})`,
        ...group.rows.map(toPlainRow),
        ...(group.more ? [`${group.more.text}: ${group.more.href}`] : []),
      ].join('\n'),
    ),
    ...(button ? [`${button.text}: ${button.href}`] : []),
    ...(after.length > 0 ? [toPlainSentence(after)] : []),
    toPlainSentence(foot),
  ].join('\n\n')}\n`

/**
 * Renders a one-column mail for every mail program: tables and inline styles for Outlook, live text only, and an equivalent plain-text part. All text
 * from people is escaped here.
 */
export const renderMail = (content: MailContent): { readonly html: string; readonly body: string } => ({
  html: renderHtml(content),
  body: renderText(content),
})
