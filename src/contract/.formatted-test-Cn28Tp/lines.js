export const a = (n) => n.toLocaleString('en-US').split(',')
export const b = (n) => Number(n.toLocaleString('en-US'))
export const c = (d) => new Date(d.toLocaleString('en-US'))
export const d = (d) => Date.parse(`${d.toLocaleString()}Z`)
export const e = (n) => n.toLocaleString('en-US')[0]
export const f = (n, text) => n.toLocaleString('en-US') === text
export const g = (n) => {
  const text = n.toLocaleString('en-US')
  return text.slice(1)
}
export const h = (n) => {
  const [first] = n.toLocaleString('en-US')
  return first
}
const lists = new Intl.ListFormat('en')
export const i = (names) => lists.format(names).replace(' and ', ' or ')
export const j = (n) => +new Intl.NumberFormat('en').format(n)
const toMonth = createDayFormat({ month: 'short' })
export const k = (day) => toMonth(day) === 'Nov'
export const l = (n) => /1,/.test(n.toLocaleString('en-US'))
export const m = (d) => new Intl.DateTimeFormat('en-CA').format(d)
export const n = (d) => Intl.DateTimeFormat('en-CA').formatToParts(d)
const Format = Intl.DateTimeFormat
export const o = new Format()
export const p = (d) => d.toLocaleDateString('sv-SE')
export const q = (d) => d.toLocaleTimeString()
export const r = (d) => d.toLocaleString('en-US', { timeZone: 'UTC' })
export const s = (n) => `${n.toLocaleString('en-US')} sites`
export const t = (n) => n.toLocaleString('en-US', { maximumFractionDigits: 1 }).padStart(7)
export const u = (zone) => Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
export const v = (n) => {
  const text = n.toLocaleString('en-US')
  return text + ' rows'
}
const toDay = createDayFormat({ weekday: 'long' })
export const w = (day) => toDay(day)
