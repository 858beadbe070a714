import { expect, test } from 'vitest'

import { isEmail, toMailtoUrl, toTeamsChatUrl } from './emails.ts'

test.each([
  'ana.ruiz@school.org',
  'o’brien@x.org'.replace('’', "'"),
  "o'brien+x@mail.school.k12.ca.us",
  'a@b.co',
  'A_B-c@X-y.Org',
  '7@7.edu',
  'x@xn--mnchen-3ya.de',
  'x@school.xn--p1ai',
  `${'a'.repeat(64)}@school.org`,
])('%j is an email address', (text) => {
  expect(isEmail(text)).toBe(true)
})

test.each([
  '*@*.**',
  'a@..co',
  'a@b..co',
  '.a@b.co',
  'a.@b.co',
  'a..b@x.co',
  'a@-x.co',
  'a@x-.co',
  'a@x.c1',
  'a@x.c',
  'a@x',
  'a@.co',
  'a@x.co.',

  '@x.co',
  'a@',
  'a',
  '',
  ' ',
  'a@b@c.co',
  'a b@x.co',
  'a@x .co',
  ' a@x.co',
  'a@x.co\n',
  'a\u0007@x.co',
  '<a@x.co>',
  'a,b@x.co',
  'a;b@x.co',

  '"a"@x.co',
  'a?b@x.co',
  'a&b@x.co',
  'a%b@x.co',
  'a@x.co?bcc=e@x.co',
  'x?bcc=evil%40evil.test&subject=hi&y=@school.org',
  'a@[127.0.0.1]',

  "'@x.co",
  '+@x.co',
  'é@x.co',
  'a@é.co',
  'a@x_y.co',
  'a@1.2.3.4',
  'a@xn--.xn--',
  'a\u200b@x.co',
  'a@x.co\u0000',
  '\ud800@x.co',
  `${'a'.repeat(65)}@x.co`,
  `a@${'b'.repeat(64)}.co`,
  `a@${'b.'.repeat(130)}co`,
  `a@x.${'c'.repeat(64)}`,
])('%j is not an email address', (text) => {
  expect(isEmail(text)).toBe(false)
})

test('a mailto link has one recipient and no header, whatever is stored', () => {
  expect(toMailtoUrl('ana.ruiz@school.org')).toBe('mailto:ana.ruiz@school.org')
  for (const stored of [
    'x?bcc=evil%40evil.test&subject=hi&y=@school.org',
    'a@b.co?cc=c@d.co',
    'a@b.co,c@d.co',
    'a@b.co;c@d.co#x',
    'a@b.co\r\nBcc: c@d.co',
    '\ud800@b.co',
  ]) {
    const { href, search, hash, pathname } = new URL(toMailtoUrl(stored))
    expect([search, hash, decodeURIComponent(pathname)]).toEqual(['', '', stored.toWellFormed()])
    expect(href).not.toMatch(/[?&,;\s]/)
    expect([...new URL(toTeamsChatUrl(stored)).searchParams]).toEqual([['users', stored.toWellFormed()]])
  }
})
